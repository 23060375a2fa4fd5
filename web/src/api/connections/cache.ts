/** How single connections enter the caches: the lists take the row, counts and ties are asked for again. */
import type { QueryClient } from '@tanstack/react-query'
import { changeRows, type Paged } from '@/lib/live-lists/keyset'
import { networkKeys } from './keys'
import { type Contact, placeContact, tabs } from './model'
import { contactsById } from './queries'

/** Connections changed (or ended): one request for all of them, however far the lists were read. */
export async function followConnections(
  queryClient: QueryClient,
  memberId: string,
  ids: readonly string[],
): Promise<void> {
  const recount = () =>
    Promise.all(
      [networkKeys.counts(memberId), networkKeys.ties(memberId), networkKeys.connectedWith(memberId)].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
  const lists = queryClient.getQueriesData<Paged<Contact>>({ queryKey: networkKeys.lists(memberId) })
  const known = lists.some(([, list]) => list !== undefined)
  const [now] = await Promise.all([known && ids.length > 0 ? contactsById(memberId, ids) : [], recount()])
  if (!known) return
  for (const tab of tabs) {
    queryClient.setQueryData<Paged<Contact>>(networkKeys.list(memberId, tab), (list) =>
      changeRows(list, (before) =>
        ids.reduce(
          (pages, id) =>
            placeContact(
              pages,
              tab,
              id,
              now.find((contact) => contact.connectionId === id),
              list?.pages.at(-1)?.more ?? false,
            ),
          before,
        ),
      ),
    )
  }
}
