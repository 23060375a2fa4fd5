/** Lists that were scrolled far: what is fetched again stays a few pages, however many were read. */
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'

/** What a list keeps when it is left: coming back finds one's place, and asks for no more than this. */
const keptPages = 10
/** What a list keeps when a gap in what is followed live has to be closed. */
const refetchedPages = 5

const isPaged = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)

const firstPages = (data: InfiniteData<unknown>, most: number): InfiniteData<unknown> => ({
  pages: data.pages.slice(0, most),
  pageParams: data.pageParams.slice(0, most),
})

/** Forgets all pages of these lists but the first ones. */
export function trimPages(queryClient: QueryClient, queryKey: QueryKey, most: number): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey })) {
    const { data, dataUpdatedAt } = query.state
    if (isPaged(data) && data.pages.length > most) {
      queryClient.setQueryData(query.queryKey, firstPages(data, most), { updatedAt: dataUpdatedAt })
    }
  }
}

/** Something may have been missed: everything under this key is asked for again, long lists from the top only. */
export function catchUp(queryClient: QueryClient, queryKey: QueryKey): void {
  trimPages(queryClient, queryKey, refetchedPages)
  // A first answer that is still under way may miss it, too, and would be taken for the second one.
  const unanswered = queryClient.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined })
  void unanswered.then(() => queryClient.invalidateQueries({ queryKey }))
}

/** A list that is left keeps its first pages only. */
export function useShortMemory(queryKey: QueryKey): void {
  const queryClient = useQueryClient()
  const forget = useEffectEvent(() => trimPages(queryClient, queryKey, keptPages))
  useEffect(() => () => forget(), [])
}
