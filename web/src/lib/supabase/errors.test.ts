import { describe, expect, it } from 'vitest'
import { isGone, rejectionMessage } from './errors'

describe('error messages of rejected changes', () => {
  it('come from the database when written for members, and never contain its identifiers', () => {
    const limit = { code: 'PT429', message: 'A comment can mention at most 10 members' }
    const constraint = { code: '23514', message: 'new row for relation "posts" violates check constraint "x"' }
    expect(rejectionMessage(limit, 'Please try again.')).toBe(limit.message)
    for (const cause of [constraint, new Error('x'), null, 'x', { code: 7 }]) {
      expect(rejectionMessage(cause, 'Please try again.')).toBe('Please try again.')
    }
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
