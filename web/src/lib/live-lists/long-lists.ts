/** Long infinite lists: a refetch requests a few pages, however many were loaded. */
import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { Outline, Page } from './keyset'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { outline?: Outline }
  }
}

/** Pages kept after unmount: enough to restore the scroll position. */
const keptPages = 10
/** Pages refetched after a gap in the live events. */
const refetchedPages = 5

const isPaged = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)

const firstPages = (data: InfiniteData<unknown>, most: number): InfiniteData<unknown> => ({
  pages: data.pages.slice(0, most),
  pageParams: data.pageParams.slice(0, most),
})

/** Removes all but the first pages of these lists. */
export function trimPages(queryClient: QueryClient, queryKey: QueryKey, most: number): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey })) {
    const { data, dataUpdatedAt } = query.state
    if (isPaged(data) && data.pages.length > most) {
      queryClient.setQueryData(query.queryKey, firstPages(data, most), { updatedAt: dataUpdatedAt })
    }
  }
}

const pagesIn = ({ state: { data } }: Query) => (isPaged(data) ? (data as InfiniteData<Page<unknown>>).pages : [])

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((row, index) => row === other[index])

/** Resolves when the query is no longer fetching. */
const settled = (queryClient: QueryClient, query: Query) =>
  new Promise<void>((resolve) => {
    const stop = queryClient.getQueryCache().subscribe(() => {
      if (query.state.fetchStatus !== 'idle') return
      stop()
      resolve()
    })
  })

/** Refetches a list only when its outline shows that events were missed. */
async function compare(queryClient: QueryClient, query: Query, outline: Outline): Promise<void> {
  const known = () => pagesIn(query).flatMap(({ rows }) => rows.map(outline.of))
  const before = known()
  const now = await outline.ask(Math.max(1, before.length), queryClient).catch(() => null)
  // Rows received live during the request may or may not be in the response.
  if (now && (isSame(now, before) || isSame(now, known()))) return
  await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
}

/** Waits for a first response that is still pending; one requested after the subscription needs no comparison. */
async function compareFirst(queryClient: QueryClient, query: Query, outline: Outline): Promise<void> {
  await settled(queryClient, query)
  if (pagesIn(query).some(({ early }) => early)) await compare(queryClient, query, outline)
}

/**
 * Events may have been missed: refetches every query under this key, long lists from the top only. For a list with an
 * outline only the outline is requested, a few bytes per row: the list is refetched only when it differs.
 */
export function catchUp(queryClient: QueryClient, queryKey: QueryKey): void {
  trimPages(queryClient, queryKey, refetchedPages)
  const compared = new Set<Query>()
  for (const query of queryClient.getQueryCache().findAll({ queryKey, type: 'active' })) {
    const { meta, state } = query
    if (!meta?.outline || state.isInvalidated) continue
    const idle = state.fetchStatus === 'idle'
    if (idle ? !isPaged(state.data) : state.data !== undefined) continue
    compared.add(query)
    void (idle ? compare : compareFirst)(queryClient, query, meta.outline)
  }
  // A first response without an outline may have missed events, too, and would count as the refetch.
  const others = (query: Query) => !compared.has(query)
  const unanswered = queryClient.cancelQueries({
    queryKey,
    predicate: (query) => others(query) && query.state.data === undefined,
  })
  void unanswered.then(() => queryClient.invalidateQueries({ queryKey, predicate: others }))
}

/**
 * Something under this key changed. An answer that is on its way may be from before the change, and would replace what
 * is known of it: `act` is called again after each such answer. It must be idempotent.
 */
export function afterAnswers(queryClient: QueryClient, queryKey: QueryKey, act: () => void): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    void settled(queryClient, query).then(act)
  }
}

/** On unmount, a list keeps only its first pages. */
export function useShortMemory(queryKey: QueryKey): void {
  const queryClient = useQueryClient()
  const forget = useEffectEvent(() => trimPages(queryClient, queryKey, keptPages))
  useEffect(() => () => forget(), [])
}
