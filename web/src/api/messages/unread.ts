/** Unread messages: how many, and who sent the newest of them (§3.18). */
import { queryOptions } from '@tanstack/react-query'
import { gates } from '@/lib/live-lists/live-gate'
import { supabase } from '@/lib/supabase/client'
import { messageKeys } from './keys'

export interface UnreadMessage {
  id: string
  sender_id: string
}

export interface Unread {
  /** The total, as counted by the database. */
  total: number
  /** The messages themselves: all of them, up to a maximum. */
  listed: UnreadMessage[]
}

/** Beyond this only the total is known: a conversation has its own count, and an open one its own messages. */
const mostListed = 200

export const isWhole = ({ total, listed }: Unread) => listed.length >= total

export const withUnread = (unread: Unread, message: UnreadMessage): Unread =>
  unread.listed.some(({ id }) => id === message.id)
    ? unread
    : { total: unread.total + 1, listed: [...unread.listed, { id: message.id, sender_id: message.sender_id }] }

/** Removes those that `gone` names; messages that are counted but not listed stay counted. */
export function withoutUnread(unread: Unread, gone: (message: UnreadMessage) => boolean): Unread {
  const listed = unread.listed.filter((message) => !gone(message))
  return { total: unread.total - (unread.listed.length - listed.length), listed }
}

export const unreadMessagesQuery = (memberId: string) =>
  queryOptions({
    queryKey: messageKeys.unread(memberId),
    queryFn: async ({ signal }): Promise<Unread> => {
      await gates.passed('messages', signal)
      signal.throwIfAborted()
      const { data, count } = await supabase
        .from('messages')
        .select('id, sender_id', { count: 'exact' })
        .eq('recipient_id', memberId)
        .eq('read', false)
        .limit(mostListed)
        .abortSignal(signal)
        .throwOnError()
      return { total: count ?? data.length, listed: data }
    },
  })

export const unreadCountQuery = (memberId: string) => ({
  ...unreadMessagesQuery(memberId),
  select: ({ total }: Unread) => total,
})
