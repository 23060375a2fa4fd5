/** Pages that start where the last one ended, never by offset. Pure. */

export interface Cursor {
  created_at: string
  id: string
}

/** The PostgREST `or` of "older than this row", in the order created_at desc, id desc. */
export const olderThan = ({ created_at, id }: Cursor) =>
  `created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.lt.${id})`

/** The cursor after a full page; undefined when it was the last. */
export function nextCursor(page: readonly Cursor[], size: number): Cursor | undefined {
  const last = page.at(-1)
  return page.length < size || !last ? undefined : { created_at: last.created_at, id: last.id }
}
