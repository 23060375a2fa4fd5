/** Keyset pagination: a page starts after the last row of the previous one. Pure. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query'

export interface Cursor {
  created_at: string
  id: string
}

/** The rows of one request, and whether more followed: live events change the row count, so it is stored. */
export interface Page<T> {
  rows: T[]
  more: boolean
  /** Requested before the subscription was confirmed: rows may be missing. */
  early?: boolean
}

/** Compares states of a list: its rows in order, each with its mutable fields. */
export interface Outline {
  /** The outline of a cached row. */
  of: (row: unknown) => string
  /** The same outline of the database's current rows, this many from the top. Rejects when it is unavailable. */
  ask: (rows: number, queryClient: QueryClient) => Promise<string[]>
}

/** Both sides of an outline, each with its own row type. */
export const outlineOf = <Row>(of: (row: Row) => string, ask: Outline['ask']): Outline => ({
  of: (row) => of(row as Row),
  ask,
})

export type Paged<T> = InfiniteData<Page<T>, Cursor | null>

/** The PostgREST `or` filter for "older than this row", in the order created_at desc, id desc. */
export const olderThan = ({ created_at, id }: Cursor) =>
  `created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.lt.${id})`

export const pageOf = <T>(rows: T[], size: number, followed = true): Page<T> => ({
  rows,
  more: rows.length >= size,
  ...(!followed && { early: true }),
})

export const rowsOf = <T>(list: { pages: readonly Page<T>[] } | undefined): T[] =>
  list?.pages.flatMap((page) => page.rows) ?? []

/** The same list with different rows in its pages. */
export function changeRows<T>(list: Paged<T> | undefined, change: (pages: T[][]) => T[][]): Paged<T> | undefined {
  if (!list) return undefined
  const rows = change(list.pages.map((page) => page.rows))
  return { ...list, pages: list.pages.map((page, index) => ({ ...page, rows: rows[index] ?? [] })) }
}

/** The cursor after these pages; undefined when nothing followed the last one. */
export function nextCursor<T>(pages: readonly Page<T>[], cursorOf: (row: T) => Cursor): Cursor | undefined {
  const last = pages.flatMap((page) => page.rows).at(-1)
  return pages.at(-1)?.more && last ? cursorOf(last) : undefined
}

export const ownCursor = ({ created_at, id }: Cursor): Cursor => ({ created_at, id })
