/** Changes to cached notifications. */
import type { QueryClient } from '@tanstack/react-query'
import { changeRows, type Paged } from '@/lib/live-lists/keyset'
import { notificationKeys } from './keys'
import type { AppNotification } from './queries'

/** Updates each notification, or removes it (null). */
export function changeNotifications(
  queryClient: QueryClient,
  memberId: string,
  change: (notification: AppNotification) => AppNotification | null,
): void {
  queryClient.setQueryData<Paged<AppNotification>>(notificationKeys.list(memberId), (list) =>
    changeRows(list, (pages) => pages.map((page) => page.flatMap((notification) => change(notification) ?? []))),
  )
}

export const asSeen = (notification: AppNotification): AppNotification =>
  notification.seen ? notification : { ...notification, seen: true }
