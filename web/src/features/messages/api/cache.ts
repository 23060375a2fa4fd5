/** Updates single messages in the caches: threads, conversations, unread. */
import type { QueryClient } from '@tanstack/react-query'
import { messageKeys } from '@/api/messages/keys'
import { isWhole, type Unread, withoutUnread, withUnread } from '@/api/messages/unread'
import { nameOf } from '@/api/people/model'
import { coalesce } from '@/lib/live-lists/coalesce'
import { changeRows, type Paged, rowsOf } from '@/lib/live-lists/keyset'
import { logError } from '@/lib/browser/log'
import {
  type Conversation,
  type EnrichedMessage,
  type Message,
  otherParty,
  withMessage,
  withNewest,
  withRead,
  withReceipt,
  withUnreadCount,
} from '../model'
import { enrich } from './queries'

type List = Paged<Conversation>

const changeConversations = (
  queryClient: QueryClient,
  memberId: string,
  change: (pages: Conversation[][]) => Conversation[][],
) =>
  queryClient.setQueriesData<List>({ queryKey: messageKeys.conversationLists(memberId) }, (list) =>
    changeRows(list, change),
  )

/** A partner who was not in the list: the conversation starts with this message, at the top. */
function putConversation(queryClient: QueryClient, memberId: string, message: EnrichedMessage): void {
  const participantId = otherParty(message, memberId)
  const party = message.sender_id === memberId ? message.recipient_profile : message.sender_profile
  queryClient.setQueryData<List>(messageKeys.conversations(memberId, ''), (list) => {
    const first: Conversation = {
      participantId,
      messages: [message],
      lastMessage: message,
      unreadCount: 0, // unread messages are counted by the unread query
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

function updateConversations(queryClient: QueryClient, memberId: string, message: Message | EnrichedMessage): void {
  const key = messageKeys.conversations(memberId, '')
  // A name search is refetched: only the database knows whether the partner matches.
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

/** Adds a message to its conversation alone, unless it is there. */
export function putInThread(queryClient: QueryClient, memberId: string, message: Message): void {
  queryClient.setQueryData<Paged<Message>>(messageKeys.thread(memberId, otherParty(message, memberId)), (thread) =>
    changeRows(thread, (pages) => withMessage(pages, message)),
  )
}

/** A message was added or deleted. */
export function putMessage(queryClient: QueryClient, memberId: string, message: Message | EnrichedMessage): void {
  putInThread(queryClient, memberId, message)
  updateConversations(queryClient, memberId, message)
  if (message.recipient_id === memberId && !message.read) {
    queryClient.setQueryData<Unread>(messageKeys.unread(memberId), (unread) => unread && withUnread(unread, message))
  }
}

/** A message was read, by either member. */
export function putRead(queryClient: QueryClient, memberId: string, message: Message): void {
  queryClient.setQueryData<Paged<Message>>(messageKeys.thread(memberId, otherParty(message, memberId)), (list) =>
    changeRows(list, (pages) => withRead(pages, message.id)),
  )
  changeConversations(queryClient, memberId, (pages) => withReceipt(pages, message.id))
  if (message.recipient_id !== memberId) return
  const key = messageKeys.unread(memberId)
  const before = queryClient.getQueryData<Unread>(key)
  if (!before) return
  const after = withoutUnread(before, ({ id }) => id === message.id)
  if (after.total < before.total || isWhole(before)) queryClient.setQueryData<Unread>(key, after)
  else recount(queryClient, memberId) // counted but not listed
  changeConversations(queryClient, memberId, (pages) => withUnreadCount(pages, message.sender_id, (count) => count - 1))
}

let recounted: [QueryClient, string] | null = null
const recountSoon = coalesce(() => {
  const [queryClient, memberId] = recounted ?? []
  if (memberId) void queryClient?.invalidateQueries({ queryKey: messageKeys.unread(memberId) })
}, 400)

/** Refetches the unread count, once for many events. */
export function recount(queryClient: QueryClient, memberId: string): void {
  recounted = [queryClient, memberId]
  recountSoon()
}

/** All messages of one sender are being marked as read: the list shows it at once. */
export function putAllRead(queryClient: QueryClient, memberId: string, senderId: string): void {
  queryClient.setQueryData<Unread>(
    messageKeys.unread(memberId),
    (unread) => unread && withoutUnread(unread, ({ sender_id }) => sender_id === senderId),
  )
  queryClient.setQueryData<Paged<Message>>(messageKeys.thread(memberId, senderId), (thread) =>
    changeRows(thread, (pages) =>
      pages.map((page) => page.map((one) => (one.sender_id === senderId ? { ...one, read: true } : one))),
    ),
  )
  changeConversations(queryClient, memberId, (pages) => withUnreadCount(pages, senderId, () => 0))
}
