/** An open, visible conversation reads what arrives in it (§4.21). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { messageKeys } from '@/api/messages/keys'
import { unreadMessagesQuery, type UnreadMessage } from '@/api/messages/unread'
import { useMemberId } from '@/api/session/auth-context'
import { logError } from '@/lib/log'
import { notify } from '@/lib/notify'
import { markRead } from './api/mutations'
import { copy } from './copy'

const watchVisibility = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

export function useMarkRead(otherId: string): void {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const visible = useSyncExternalStore(watchVisibility, () => document.visibilityState === 'visible')
  const unread = useQuery(unreadMessagesQuery(memberId)).data
  const waiting = unread?.filter(({ sender_id }) => sender_id === otherId).length ?? 0
  const key = messageKeys.unread(memberId)
  const { mutate } = useMutation({
    mutationFn: () => markRead(memberId, otherId),
    onMutate: () => {
      queryClient.setQueryData<UnreadMessage[]>(key, (list) => list?.filter(({ sender_id }) => sender_id !== otherId))
    },
    onError: (cause) => {
      // The count comes back with the next fetch: put back now, it would be tried again at once, for ever.
      logError('Messages could not be marked as read', cause)
      notify(copy.readError)
    },
  })
  const read = useEffectEvent(() => mutate())
  useEffect(() => {
    if (visible && waiting > 0) read()
  }, [visible, waiting])
}
