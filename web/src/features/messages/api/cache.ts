/** How single messages enter the caches: threads, conversations, unread. */
import type { QueryClient } from '@tanstack/react-query'
import { messageKeys } from '@/api/messages/keys'
import type { UnreadMessage } from '@/api/messages/unread'
import { changeRows, type Paged, rowsOf } from '@/lib/keyset'
import { type EnrichedMessage, type Message, otherParty, type Party, withMessage, withRead } from '../model'

function knownParty(list: Paged<EnrichedMessage> | undefined, id: string): Party | null {
  for (const message of rowsOf(list)) {
    if (message.sender_id === id && message.sender_profile) return message.sender_profile
    if (message.recipient_id === id && message.recipient_profile) return message.recipient_profile
  }
  return null
}

/** A message came or went. A side that is not known yet is fetched with the conversations. */
export function putMessage(queryClient: QueryClient, memberId: string, message: Message | EnrichedMessage): void {
  const otherId = otherParty(message, memberId)
  queryClient.setQueryData<Paged<Message>>(messageKeys.thread(memberId, otherId), (thread) =>
    changeRows(thread, (pages) => withMessage(pages, message)),
  )
  const recentKey = messageKeys.recent(memberId)
  const recent = queryClient.getQueryData<Paged<EnrichedMessage>>(recentKey)
  const enriched: EnrichedMessage =
    'sender_profile' in message
      ? message
      : {
          ...message,
          sender_profile: knownParty(recent, message.sender_id),
          recipient_profile: knownParty(recent, message.recipient_id),
        }
  queryClient.setQueryData<Paged<EnrichedMessage>>(recentKey, (list) =>
    changeRows(list, (pages) => withMessage(pages, enriched)),
  )
  const other = message.sender_id === memberId ? enriched.recipient_profile : enriched.sender_profile
  if (recent && !other) void queryClient.invalidateQueries({ queryKey: recentKey })
  if (message.recipient_id === memberId && !message.read) {
    queryClient.setQueryData<UnreadMessage[]>(
      messageKeys.unread(memberId),
      (unread) =>
        unread &&
        (unread.some(({ id }) => id === message.id)
          ? unread
          : [...unread, { id: message.id, sender_id: message.sender_id }]),
    )
  }
}

/** A message was read, by either side. */
export function putRead(queryClient: QueryClient, memberId: string, message: Message): void {
  const asRead = <T extends Message>(list: Paged<T> | undefined) =>
    changeRows(list, (pages) => withRead(pages, message.id))
  queryClient.setQueryData<Paged<Message>>(messageKeys.thread(memberId, otherParty(message, memberId)), asRead)
  queryClient.setQueryData<Paged<EnrichedMessage>>(messageKeys.recent(memberId), asRead)
  queryClient.setQueryData<UnreadMessage[]>(messageKeys.unread(memberId), (unread) =>
    unread?.filter(({ id }) => id !== message.id),
  )
}
