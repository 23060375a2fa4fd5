/** Messages that wait to be read: who sent them, and how many (§3.18). */
import { queryOptions } from '@tanstack/react-query'
import { gates } from '@/lib/live-gate'
import { supabase } from '@/lib/supabase'
import { messageKeys } from './keys'

export interface UnreadMessage {
  id: string
  sender_id: string
}

/** More than this are shown as that many. */
export const mostUnread = 1_000

export const unreadMessagesQuery = (memberId: string) =>
  queryOptions({
    queryKey: messageKeys.unread(memberId),
    queryFn: async ({ signal }): Promise<UnreadMessage[]> => {
      await gates.passed('messages', signal)
      signal.throwIfAborted()
      const { data } = await supabase
        .from('messages')
        .select('id, sender_id')
        .eq('recipient_id', memberId)
        .eq('read', false)
        .limit(mostUnread)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
