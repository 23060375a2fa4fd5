/** How single messages enter the caches: threads, conversations, unread. */
import type { QueryClient } from '@tanstack/react-query'
import { messageKeys } from '@/api/messages/keys'
import type { UnreadMessage } from '@/api/messages/unread'
import { nameOf } from '@/api/people/model'
import { changeRows, type Paged, rowsOf } from '@/lib/keyset'
import { logError } from '@/lib/log'
import {
  type Conversation,
  type EnrichedMessage,
  type Message,
  otherParty,
  withMessage,
  withNewest,
  withRead,
  withReceipt,
} from '../model'
import { enrich } from './queries'

type List = Paged<Conversation>

/** A partner who was not in the list: their conversation begins with this message, at the top. */
function putConversation(queryClient: QueryClient, memberId: string, message: EnrichedMessage): void {
  const participantId = otherParty(message, memberId)
  const party = message.sender_id === memberId ? message.recipient_profile : message.sender_profile
  queryClient.setQueryData<List>(messageKeys.conversations(memberId, ''), (list) => {
    const first: Conversation = {
      participantId,
      messages: [message],
      lastMessage: message,
      unreadCount: 0, // the unread ones are counted by those who wait
      participantName: nameOf(party),
      participantAvatar: party?.avatar_url ?? null,
    }
    return changeRows(
      list,
      (pages) =>
        withNewest(pages, message, memberId) ?? pages.map((page, index) => (index === 0 ? [first, ...page] : page)),
    )
  })
}

function touchConversations(queryClient: QueryClient, memberId: string, message: Message | EnrichedMessage): void {
  const key = messageKeys.conversations(memberId, '')
  // What is looked for by name is asked again: whether the partner is one of them the database knows.
  void queryClient.invalidateQueries({
    queryKey: messageKeys.conversationLists(memberId),
    predicate: ({ queryKey }) => queryKey.at(-1) !== '',
  })
  const list = queryClient.getQueryData<List>(key)
  if (!list) return
  const partner = otherParty(message, memberId)
  if (rowsOf(list).some(({ participantId }) => participantId === partner)) {
    queryClient.setQueryData<List>(key, (now) =>
      changeRows(now, (pages) => withNewest(pages, message, memberId) ?? pages.map((page) => page)),
    )
  } else if ('sender_profile' in message) {
    putConversation(queryClient, memberId, message)
  } else {
    enrich(message).then(
      (enriched) => putConversation(queryClient, memberId, enriched),
      (cause: unknown) => {
        logError('The sender of a message could not be loaded', cause)
        void queryClient.invalidateQueries({ queryKey: key })
      },
    )
  }
}

/** A message came or went. */
export function putMessage(queryClient: QueryClient, memberId: string, message: Message | EnrichedMessage): void {
  const otherId = otherParty(message, memberId)
  queryClient.setQueryData<Paged<Message>>(messageKeys.thread(memberId, otherId), (thread) =>
    changeRows(thread, (pages) => withMessage(pages, message)),
  )
  touchConversations(queryClient, memberId, message)
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
  queryClient.setQueryData<Paged<Message>>(messageKeys.thread(memberId, otherParty(message, memberId)), (list) =>
    changeRows(list, (pages) => withRead(pages, message.id)),
  )
  queryClient.setQueriesData<List>({ queryKey: messageKeys.conversationLists(memberId) }, (list) =>
    changeRows(list, (pages) => withReceipt(pages, message.id)),
  )
  queryClient.setQueryData<UnreadMessage[]>(messageKeys.unread(memberId), (unread) =>
    unread?.filter(({ id }) => id !== message.id),
  )
}
