/** Keyset pagination: a page starts after the last row of the previous one. Pure. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query'

export interface Cursor {
  created_at: string
  id: string
}

/** What one request brought, and whether more was behind it: rows come and go live, so counting them later says nothing. */
export interface Page<T> {
  rows: T[]
  more: boolean
  /** Asked for before changes of its rows were followed: some may be missing in it. */
  early?: boolean
}

/** Tells one state of a list from another: its rows in order, each with what may change in it. */
export interface Outline {
  /** Of a row as it is kept here. */
  of: (row: unknown) => string
  /** The same of the rows that the database has now, this many from the top. Rejects when it cannot tell. */
  ask: (rows: number, queryClient: QueryClient) => Promise<string[]>
}

/** The two sides of an outline, each with its own kind of row. */
export const outlineOf = <Row>(of: (row: Row) => string, ask: Outline['ask']): Outline => ({
  of: (row) => of(row as Row),
  ask,
})

export type Paged<T> = InfiniteData<Page<T>, Cursor | null>

/** The PostgREST `or` of "older than this row", in the order created_at desc, id desc. */
export const olderThan = ({ created_at, id }: Cursor) =>
  `created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.lt.${id})`

export const pageOf = <T>(rows: T[], size: number, followed = true): Page<T> => ({
  rows,
  more: rows.length >= size,
  ...(!followed && { early: true }),
})

export const rowsOf = <T>(list: { pages: readonly Page<T>[] } | undefined): T[] =>
  list?.pages.flatMap((page) => page.rows) ?? []

/** The same list with other rows in its pages. */
export function changeRows<T>(list: Paged<T> | undefined, change: (pages: T[][]) => T[][]): Paged<T> | undefined {
  if (!list) return undefined
  const rows = change(list.pages.map((page) => page.rows))
  return { ...list, pages: list.pages.map((page, index) => ({ ...page, rows: rows[index] ?? [] })) }
}

/** The cursor after these pages; undefined when nothing was behind the last one. */
export function nextCursor<T>(pages: readonly Page<T>[], cursorOf: (row: T) => Cursor): Cursor | undefined {
  const last = pages.flatMap((page) => page.rows).at(-1)
  return pages.at(-1)?.more && last ? cursorOf(last) : undefined
}

export const ownCursor = ({ created_at, id }: Cursor): Cursor => ({ created_at, id })
