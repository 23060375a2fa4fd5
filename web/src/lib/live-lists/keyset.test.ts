import { expect, test } from 'vitest'
import { changeRows, nextCursor, olderThan, ownCursor, pageOf, rowsOf } from './keyset'

const row = (id: string) => ({ id, created_at: '2026-01-05T10:00:00.123456+00:00', title: 'x' })
const cursor = (id: string) => ({ id, created_at: row(id).created_at })

test('rows with the same timestamp are ordered by id', () => {
  expect(olderThan(row('b'))).toBe(
    'created_at.lt."2026-01-05T10:00:00.123456+00:00",and(created_at.eq."2026-01-05T10:00:00.123456+00:00",id.lt.b)',
  )
})

test('only a full page has a next one', () => {
  expect(nextCursor([pageOf([row('a'), row('b')], 2)], ownCursor)).toEqual(cursor('b'))
  expect(nextCursor([pageOf([row('a')], 2)], ownCursor)).toBeUndefined()
  expect(nextCursor([pageOf([], 20)], ownCursor)).toBeUndefined()
  expect(nextCursor([], ownCursor)).toBeUndefined()
})

test('live changes to rows do not change whether there is a next page', () => {
  const full = { pages: [pageOf([row('a'), row('b')], 2)], pageParams: [null] }
  const shorter = changeRows(full, (pages) => pages.map((page) => page.filter(({ id }) => id !== 'b')))
  expect(nextCursor(shorter?.pages ?? [], ownCursor)).toEqual(cursor('a'))
  const end = { pages: [pageOf([row('a'), row('b')], 2), pageOf([row('c')], 2)], pageParams: [null, cursor('b')] }
  const longer = changeRows(end, (pages) => pages.map((page) => [row('z'), ...page]))
  expect(nextCursor(longer?.pages ?? [], ownCursor)).toBeUndefined()
  expect(rowsOf(longer)).toHaveLength(5)
  expect(changeRows(undefined, (pages) => pages)).toBeUndefined()
})

test('after a last page whose rows were all removed, the next one starts where the page before ended', () => {
  const list = { pages: [pageOf([row('a')], 1), { rows: [], more: true }], pageParams: [null, cursor('a')] }
  expect(nextCursor(list.pages, ownCursor)).toEqual(cursor('a'))
})
