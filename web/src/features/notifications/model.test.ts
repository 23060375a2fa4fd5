import { describe, expect, test } from 'vitest'
import { causerOf, certificationOf, followRow, sentenceOf, targetOf } from './model'

const row = (id: string, seen = false) => ({ id, seen })

describe('§4.24 §7.50 updating the list from row events', () => {
  const pages = [[row('3'), row('2')], [row('1')]]

  test('a new one is added at the top, once', () => {
    const once = followRow(pages, { kind: 'insert', row: row('4') })
    expect(once[0]?.map(({ id }) => id)).toEqual(['4', '3', '2'])
    expect(followRow(once, { kind: 'insert', row: row('4') })).toEqual(once)
  })

  test('the first one in an empty list', () => {
    expect(followRow([], { kind: 'insert', row: row('1') })).toEqual([[row('1')]])
  })

  test('§4.23 one that was read keeps its position', () => {
    expect(followRow(pages, { kind: 'update', row: row('1', true) })).toEqual([pages[0], [row('1', true)]])
    expect(followRow(pages, { kind: 'update', row: row('9', true) })).toEqual(pages)
  })

  test('a deleted one is removed', () => {
    expect(followRow(pages, { kind: 'delete', id: '2' })).toEqual([[row('3')], [row('1')]])
  })
})

test('§3.16 metadata links to a page of this application or to the list', () => {
  expect(targetOf({ url: '/post/7' })).toBe('/post/7')
  for (const url of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', 7]) {
    expect(targetOf({ url })).toBe('/notifications')
  }
  expect(targetOf(null)).toBe('/notifications')
  expect(causerOf({ user_id: 'ada' })).toBe('ada')
  expect(causerOf({ user_id: 7 })).toBeNull()
})

describe('the sentence of a notification', () => {
  const by = { user_id: 'someone' }
  test.each([
    ['Ada Fontaine sent you a message', by, 'Ada Fontaine', ' sent you a message'],
    ['Ada Fontaine wants to connect', by, 'Ada Fontaine', ' wants to connect'],
    ['Ada Fontaine found your post useful', by, 'Ada Fontaine', ' found your post useful'],
    ['Who sent you Fontaine accepted your request', by, 'Who sent you Fontaine', ' accepted your request'],
    ['Paramedic license expires in 40 days', {}, 'Paramedic license expires in 40 days', ''],
    ['The chief sent you a letter', {}, 'The chief sent you a letter', ''],
    ['Something else', by, 'Something else', ''],
    ['', by, '', ''],
  ])('%s', (title, metadata, name, rest) => {
    expect(sentenceOf(title, metadata)).toEqual({ name, rest })
  })
})

test.each([
  [{ type: 'certification', metadata: { certification_id: 'a1', url: '/profile?certification=a1' } }, 'a1'],
  [{ type: 'certification', metadata: { certification_id: 7 } }, null],
  [{ type: 'certification', metadata: null }, null],
  [{ type: 'message', metadata: { certification_id: 'a1' } }, null],
])('§10.6 %j is about the certification %s', (notification, want) => {
  expect(certificationOf(notification)).toBe(want)
})
