import { describe, expect, it } from 'vitest'
import { isGone, messageForPeople, rejectionMessage, RequestError } from './errors'

describe('error messages of rejected changes', () => {
  it('come from the database when written for members, and never contain its identifiers', () => {
    const limit = { code: 'PT429', message: 'A comment can mention at most 10 members' }
    const constraint = { code: '23514', message: 'new row for relation "posts" violates check constraint "x"' }
    expect(rejectionMessage(limit, 'Please try again.')).toBe(limit.message)
    for (const cause of [constraint, new Error('x'), null, 'x', { code: 7 }]) {
      expect(rejectionMessage(cause, 'Please try again.')).toBe('Please try again.')
    }
  })

  it.each([
    ['fetch throws', new TypeError('Failed to fetch')],
    [
      'postgrest-js says',
      new RequestError(0, { message: 'TypeError: NetworkError when attempting to fetch resource.' }),
    ],
    ['functions-js says', new Error('Failed to send a request to the Edge Function')],
    ['the database says', new RequestError(403, { code: '42501', message: 'permission denied for table posts' })],
    ['nobody says', null],
  ])('are never the words that %s', (_who, cause) => {
    expect(messageForPeople(cause, 'Please try again.')).toBe('Please try again.')
  })

  it('are the words of a service, or of our SQL', () => {
    expect(messageForPeople({ code: 'weak_password', message: 'Choose a longer one' }, '')).toBe('Choose a longer one')
    expect(messageForPeople(new RequestError(403, { code: 'PT403', message: 'You are the last admin.' }), '')).toBe(
      'You are the last admin.',
    )
  })

  it('recognize a missing row', () => {
    expect(['PGRST116', '23503', '42501', '23514', undefined].map((code) => isGone({ code }))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    expect(isGone(null)).toBe(false)
  })
})
