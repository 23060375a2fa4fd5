/** The query client: fresh for 5 minutes, kept for 30, one retry, none after a network error (§9.31-33). */
import { QueryClient } from '@tanstack/react-query'
import { backoffMs, limits } from '@/config/limits'
import { onMemberChange } from './member-change'
import { isNetworkError } from './errors'

export const makeQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: limits.cacheFreshMs,
        gcTime: limits.cacheKeptMs,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 1 && !isNetworkError(error),
        retryDelay: backoffMs,
      },
      mutations: { retry: false },
    },
  })

let shared: QueryClient | undefined

/** The query client of the application; it is cleared when the member changes. */
export function sharedQueryClient(): QueryClient {
  if (!shared) {
    const client = makeQueryClient()
    onMemberChange(() => client.clear())
    shared = client
  }
  return shared
}
