/** Marks messages of an open, visible conversation as read (§4.21). */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { isWhole, unreadMessagesQuery } from '@/api/messages/unread'
import { useMemberId } from '@/api/session/auth-context'
import { rowsOf } from '@/lib/live-lists/keyset'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { putAllRead, recount } from './api/cache'
import { markRead } from './api/mutations'
import { threadQuery } from './api/queries'
import { copy } from './copy'

const subscribeToVisibility = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

/** The unread messages here; when not all of them are listed, the conversation's own messages are used. */
function useWaiting(otherId: string): number {
  const memberId = useMemberId()
  const unread = useQuery(unreadMessagesQuery(memberId)).data
  const thread = useInfiniteQuery(threadQuery(memberId, otherId)).data
  if (!unread) return 0
  const listed = unread.listed.filter(({ sender_id }) => sender_id === otherId).length
  if (listed > 0 || isWhole(unread)) return listed
  return rowsOf(thread).filter(({ sender_id, read }) => sender_id === otherId && !read).length
}

export function useMarkRead(otherId: string): void {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const visible = useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible')
  const waiting = useWaiting(otherId)
  const { mutate } = useMutation({
    mutationFn: () => markRead(memberId, otherId),
    onMutate: () => {
      const unread = queryClient.getQueryData(unreadMessagesQuery(memberId).queryKey)
      putAllRead(queryClient, memberId, otherId)
      return { whole: !unread || isWhole(unread) }
    },
    onSuccess: (_done, _none, { whole }) => {
      if (!whole) recount(queryClient, memberId)
    },
    onError: (cause) => {
      // The count is corrected by the next fetch: a rollback here would retry at once, forever.
      logError('Messages could not be marked as read', cause)
      showToast(copy.readError)
    },
  })
  const read = useEffectEvent(() => mutate())
  useEffect(() => {
    if (visible && waiting > 0) read()
  }, [visible, waiting])
}
