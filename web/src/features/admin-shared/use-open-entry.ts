/** The entry that is open, named by the URL so that a mail can link to it: one of the list, else fetched. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { isUuid } from '@/lib/format/uuid'
import { fresh } from './api/queries'
import { written } from './written-params'

export function useOpenEntry<Row extends { id: string }>(
  rows: readonly Row[],
  key: (id: string) => readonly unknown[],
  fetchOne: (id: string, signal: AbortSignal) => Promise<Row | null>,
) {
  const [params, setParams] = useSearchParams()
  const id = params.get('entry')
  const listed = rows.find((row) => row.id === id)
  const fetched = useQuery(
    queryOptions({
      queryKey: key(id ?? ''),
      ...fresh,
      enabled: id !== null && !listed,
      queryFn: ({ signal }) => (id !== null && isUuid(id) ? fetchOne(id, signal) : null),
    }),
  )
  const open = (next: string | null) =>
    setParams((before) => {
      const after = new URLSearchParams(before)
      if (next === null) after.delete('entry')
      else after.set('entry', next)
      return after
    }, written)
  const entry = id === null ? null : (listed ?? fetched.data ?? null)
  return { entry, isGone: id !== null && !listed && fetched.data === null, open }
}
