import { describe, expect, test } from 'vitest'
import { askerOf, causerOf, certificationOf, dayOf, foldByDay, followRow, sentenceOf, targetOf } from './model'

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
  const by = (name: string) => ({ user_id: 'someone', name })
  test.each([
    ['Ada Fontaine sent you a message', by('Ada Fontaine'), 'Ada Fontaine', ' sent you a message'],
    [
      'Who sent you Fontaine accepted your request',
      by('Who sent you Fontaine'),
      'Who sent you Fontaine',
      ' accepted your request',
    ],
    ['Ada Fontaine: look here', by('Ada Fontaine'), 'Ada Fontaine', ': look here'],
    ['Paramedic license expires in 40 days', {}, 'Paramedic license expires in 40 days', ''],
    ['Something else', by('Ada'), 'Something else', ''],
    ['Something else', { name: 7 }, 'Something else', ''],
    ['', by(''), '', ''],
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

describe('the list', () => {
  const now = new Date('2026-11-22T12:00:00')
  const row = (id: string, created_at: string, type = 'message', reference_id: string | null = null) => ({
    id,
    type,
    reference_id,
    created_at,
  })

  test.each([
    ['2026-11-22T00:00:00', 'Today'],
    ['2026-11-21T00:00:00', 'Yesterday'],
    ['2026-11-20T23:59:59', 'Earlier this week'],
    ['2026-11-15T23:00:00', 'November 2026'],
  ])('%s is %s', (moment, want) => {
    expect(dayOf(moment, now)).toBe(want)
  })

  test('likes of a post are folded by day, nothing else is', () => {
    const rows = [
      row('a', '2026-11-22T11:00:00', 'reaction', 'post'),
      row('b', '2026-11-22T10:00:00'),
      row('c', '2026-11-22T09:00:00', 'reaction', 'post'),
      row('d', '2026-11-21T09:00:00', 'reaction', 'post'),
      row('e', '2026-11-21T08:00:00', 'comment', 'post'),
      row('f', '2026-11-21T07:00:00', 'comment', 'post'),
    ]
    expect(foldByDay(rows, now).map(({ all }) => all.map(({ id }) => id))).toEqual([
      ['a', 'c'],
      ['b'],
      ['d'],
      ['e'],
      ['f'],
    ])
  })

  test('one that took the place of another moves to the top', () => {
    const pages = [[{ id: 'a', created_at: '2' }], [{ id: 'b', created_at: '1' }]]
    expect(followRow(pages, { kind: 'update', row: { id: 'b', created_at: '3' } })).toEqual([
      [
        { id: 'b', created_at: '3' },
        { id: 'a', created_at: '2' },
      ],
      [],
    ])
  })

  test('only a request can be answered', () => {
    const metadata = { user_id: 'ada', url: '/network?tab=pending-requests' }
    expect(askerOf({ type: 'connection', metadata })).toBe('ada')
    expect(askerOf({ type: 'connection', metadata: { user_id: 'ada', url: '/profile/ada' } })).toBeNull()
    expect(askerOf({ type: 'message', metadata })).toBeNull()
  })
})
