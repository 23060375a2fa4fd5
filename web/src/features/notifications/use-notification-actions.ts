/** Marking as read and removing, optimistically (§4.23, §8.17). */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemberId } from '@/api/session/auth-context'
import type { Paged } from '@/lib/live-lists/keyset'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { asSeen, changeNotifications } from './api/cache'
import { notificationKeys } from './api/keys'
import { markAllSeen, markSeen, deleteNotifications } from './api/mutations'
import type { AppNotification } from './api/queries'
import { copy } from './copy'

export function useNotificationActions() {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const listKey = notificationKeys.list(memberId)
  const change = async (next: (notification: AppNotification) => AppNotification | null) => {
    await queryClient.cancelQueries({ queryKey: listKey })
    const before = queryClient.getQueryData<Paged<AppNotification>>(listKey)
    changeNotifications(queryClient, memberId, next)
    return { before }
  }
  const back = (kept: { before: Paged<AppNotification> | undefined } | undefined) =>
    queryClient.setQueryData(listKey, kept?.before)
  const recount = () => queryClient.invalidateQueries({ queryKey: notificationKeys.unread(memberId) })

  const one = useMutation({
    mutationFn: (ids: readonly string[]) => markSeen(ids),
    onMutate: (ids) => change((notification) => (ids.includes(notification.id) ? asSeen(notification) : notification)),
    onError: (cause, _ids, kept) => {
      back(kept)
      logError('A notification could not be marked as read', cause) // §8.17: only logged
    },
    onSettled: recount,
  })
  const all = useMutation({
    mutationFn: () => markAllSeen(memberId),
    onMutate: () => change(asSeen),
    onError: (cause, _none, kept) => {
      back(kept)
      logError('Notifications could not be marked as read', cause)
      showToast(copy.markError) // §8.17
    },
    onSettled: recount,
  })
  const deletion = useMutation({
    mutationFn: (ids: readonly string[]) => deleteNotifications(ids),
    onMutate: (ids) => change((notification) => (ids.includes(notification.id) ? null : notification)),
    onError: (cause, _ids, kept) => {
      back(kept)
      logError('A notification could not be removed', cause)
      showToast(copy.removeError)
    },
    onSettled: recount,
  })
  return { markRead: one.mutate, markAll: () => all.mutate(), remove: deletion.mutate, marking: all.isPending }
}
