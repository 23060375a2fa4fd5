/** From when the shown rows are, for a page without network (§17.1). */
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isKept } from './kept-queries'

/** The oldest answer on the page, in ms; 'missing' where one was never read here; null for a page without rows. */
export function asOf(shown: readonly Pick<Query, 'queryKey' | 'state'>[]): number | 'missing' | null {
  const rows = shown.filter(({ queryKey }) => isKept(queryKey))
  if (rows.some(({ state }) => state.data === undefined)) return 'missing'
  const times = rows.map(({ state }) => state.dataUpdatedAt)
  return times.length > 0 ? Math.min(...times) : null
}

const shownBy = (queryClient: QueryClient) => asOf(queryClient.getQueryCache().findAll({ type: 'active' }))

export function useAsOf() {
  const queryClient = useQueryClient()
  return useSyncExternalStore(
    (changed) => queryClient.getQueryCache().subscribe(changed),
    () => shownBy(queryClient),
  )
}
