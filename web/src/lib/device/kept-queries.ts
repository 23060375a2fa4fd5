/** Which answers are kept on the device, and how many of them (§17.1). Pure. */
import type { DehydratedState, InfiniteData, QueryKey } from '@tanstack/react-query'

type KeptQuery = DehydratedState['queries'][number]

/** Older than this, it is not shown any more. */
export const keptForMs = 14 * 86_400_000
const mostQueries = 60
/** Of lists the first pages, as loaded at first. */
const mostPages = 2
const mostBytes = 3_000_000

/**
 * By the beginning of their keys: feed and posts with comments, conversations and threads, profiles, connections, one's
 * own certifications, trainings, notifications. Not searches, nothing of the admin area, no picture.
 */
const kept: readonly (readonly string[])[] = [
  ['feed', 'posts'],
  ['feed', 'post'],
  ['feed', 'comments'],
  ['feed', 'saved', 'posts'],
  ['messages', 'followed'],
  ['messages', 'recipient'],
  ['profiles'],
  ['profile-page'],
  ['certifications'],
  ['connections'],
  ['trainings'],
  ['notifications'],
]

/** Whether the member may be here is asked, not remembered. */
const isAccess = (key: QueryKey) => key.at(-1) === 'standing'

export const isKept = (key: QueryKey): boolean =>
  kept.some((start) => start.every((part, index) => key[index] === part)) && !isAccess(key)

const isInfinite = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data

const firstPages = (data: unknown) =>
  isInfinite(data) ? { pages: data.pages.slice(0, mostPages), pageParams: data.pageParams.slice(0, mostPages) } : data

/** The newest answers of a state, within the limits. One that could not be asked for again, offline, is still the last. */
export function bounded(state: DehydratedState): DehydratedState {
  const newest = state.queries
    .filter(({ state: { data } }) => data !== undefined && data !== null)
    .toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    .slice(0, mostQueries)
    // Without `meta`, which has functions: whoever shows the query gives it again.
    .map(({ queryKey, queryHash, dehydratedAt, state }): KeptQuery => {
      const read = { status: 'success', error: null, fetchFailureCount: 0, fetchFailureReason: null } as const
      return { queryKey, queryHash, dehydratedAt, state: { ...state, ...read, data: firstPages(state.data) } }
    })
  let left = mostBytes
  const queries = newest.filter((query) => (left -= JSON.stringify(query.state.data).length) >= 0)
  return { mutations: [], queries }
}

/** The same to be asked for again as soon as it is shown: while the page was closed, anything may have changed. */
export const outdated = (state: DehydratedState): DehydratedState => ({
  mutations: [],
  queries: state.queries.map((query) => ({ ...query, state: { ...query.state, isInvalidated: true } })),
})

/** What may still be shown. */
export const fresh = (state: DehydratedState, now: number): DehydratedState => ({
  mutations: [],
  queries: state.queries.filter(({ state: { dataUpdatedAt } }) => now - dataUpdatedAt < keptForMs),
})
