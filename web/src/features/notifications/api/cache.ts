/** What the list knows without asking. */
import type { QueryClient } from '@tanstack/react-query'
import { changeRows, type Paged } from '@/lib/live-lists/keyset'
import { notificationKeys } from './keys'
import type { Notice } from './queries'

/** Changes each notice, or drops it (null). */
export function changeNotices(
  queryClient: QueryClient,
  memberId: string,
  change: (notice: Notice) => Notice | null,
): void {
  queryClient.setQueryData<Paged<Notice>>(notificationKeys.list(memberId), (list) =>
    changeRows(list, (pages) => pages.map((page) => page.flatMap((notice) => change(notice) ?? []))),
  )
}

export const asSeen = (notice: Notice): Notice => (notice.seen ? notice : { ...notice, seen: true })
