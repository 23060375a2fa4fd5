/** Updates single connections in the caches: lists take the row, counts are refetched. */
import type { QueryClient } from '@tanstack/react-query'
import { changeRows, type Paged } from '@/lib/live-lists/keyset'
import { connectionKeys } from './keys'
import { type ListedConnection, placeConnection, tabs } from './model'
import { connectionsById } from './queries'

/** Connections changed or were deleted: one request for all of them, however many pages are loaded. */
export async function followConnections(
  queryClient: QueryClient,
  memberId: string,
  ids: readonly string[],
): Promise<void> {
  const recount = () =>
    Promise.all(
      [connectionKeys.counts(memberId), connectionKeys.pairs(memberId), connectionKeys.connectedWith(memberId)].map(
        (queryKey) => queryClient.invalidateQueries({ queryKey }),
      ),
    )
  const lists = queryClient.getQueriesData<Paged<ListedConnection>>({ queryKey: connectionKeys.lists(memberId) })
  const known = lists.some(([, list]) => list !== undefined)
  const [now] = await Promise.all([known && ids.length > 0 ? connectionsById(memberId, ids) : [], recount()])
  if (!known) return
  for (const tab of tabs) {
    queryClient.setQueryData<Paged<ListedConnection>>(connectionKeys.list(memberId, tab), (list) =>
      changeRows(list, (before) =>
        ids.reduce(
          (pages, id) =>
            placeConnection(
              pages,
              tab,
              id,
              now.find((connection) => connection.connectionId === id),
              list?.pages.at(-1)?.more ?? false,
            ),
          before,
        ),
      ),
    )
  }
}
