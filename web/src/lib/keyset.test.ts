import { expect, test } from 'vitest'
import { nextCursor, olderThan } from './keyset'

const row = (id: string) => ({ id, created_at: '2026-01-05T10:00:00.123456+00:00', title: 'x' })

test('rows of the same moment are told apart by their id', () => {
  expect(olderThan(row('b'))).toBe(
    'created_at.lt."2026-01-05T10:00:00.123456+00:00",and(created_at.eq."2026-01-05T10:00:00.123456+00:00",id.lt.b)',
  )
})

test('only a full page has a next one', () => {
  expect(nextCursor([row('a'), row('b')], 2)).toEqual({ id: 'b', created_at: row('b').created_at })
  expect(nextCursor([row('a')], 2)).toBeUndefined()
  expect(nextCursor([], 20)).toBeUndefined()
})
