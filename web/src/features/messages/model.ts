/** Groups messages into conversations, days and runs by sender (§3.18-19). Pure. */
import { nameOf } from '@/api/people/model'
import type { Delivery } from '@/lib/device/outbox/entry'
import { formatDate } from '@/lib/format/dates'

interface Party {
  id: string
  full_name: string | null
  avatar_url: string | null
}

export interface Message {
  id: string
  sender_id: string
  recipient_id: string
  content: string
  /** The address of its picture or PDF. */
  file_url: string | null
  read: boolean
  created_at: string
}

/** §3.18: fetched messages include both profiles; null where privacy hides them. */
export interface EnrichedMessage extends Message {
  sender_profile: Party | null
  recipient_profile: Party | null
}

/** §3.19. */
export interface Conversation {
  participantId: string
  /** The loaded messages, newest first. */
  messages: Message[]
  lastMessage: Message
  unreadCount: number
  participantName: string
  participantAvatar: string | null
}

/** A message that is written and not sent. */
export interface Outgoing {
  id: string
  content: string
  file_url: string | null
  created_at: string
  delivery: Delivery
  /** Why it was refused. */
  reason: string | null
}

export const otherParty = (message: Message, memberId: string) =>
  message.sender_id === memberId ? message.recipient_id : message.sender_id

/** A row of the procedure: one per partner. */
export interface ConversationRow {
  participant_id: string
  participant_name: string | null
  participant_avatar: string | null
  unread_count: number
  last_message_id: string
  last_message_content: string
  last_message_at: string
  last_message_is_mine: boolean
  last_message_is_read: boolean
}

export function conversationOf(row: ConversationRow, memberId: string): Conversation {
  const [sender_id, recipient_id] = row.last_message_is_mine
    ? [memberId, row.participant_id]
    : [row.participant_id, memberId]
  const lastMessage = {
    id: row.last_message_id,
    sender_id,
    recipient_id,
    content: row.last_message_content,
    file_url: null, // lists show the text
    read: row.last_message_is_read,
    created_at: row.last_message_at,
  }
  return {
    participantId: row.participant_id,
    messages: [lastMessage],
    lastMessage,
    unreadCount: row.unread_count,
    participantName: nameOf({ full_name: row.participant_name }),
    participantAvatar: row.participant_avatar,
  }
}

const isNewer = (one: Message, other: Message) =>
  Date.parse(one.created_at) > Date.parse(other.created_at) ||
  (one.created_at === other.created_at && one.id > other.id)

/**
 * The list after a message was added or deleted: its conversation moves to the top. A known message, or one older than
 * the last one, does not change the order. Null when the partner is not in the list.
 */
export function withNewest(
  pages: readonly Conversation[][],
  message: Message,
  memberId: string,
): Conversation[][] | null {
  const partner = otherParty(message, memberId)
  const known = pages.flat().find(({ participantId }) => participantId === partner)
  if (!known) return null
  const { lastMessage } = known
  if (lastMessage.id === message.id) {
    const read = lastMessage.read || message.read // the response to sending may arrive after the receipt
    return replaced(pages, { ...known, lastMessage: { ...message, read } })
  }
  if (!isNewer(message, lastMessage)) return pages.map((page) => page)
  const waits = message.sender_id === partner && !message.read
  const moved = {
    ...known,
    lastMessage: message,
    messages: [message, ...known.messages],
    unreadCount: known.unreadCount + Number(waits),
  }
  return pages.map((page, index) => [
    ...(index === 0 ? [moved] : []),
    ...page.filter(({ participantId }) => participantId !== partner),
  ])
}

const replaced = (pages: readonly Conversation[][], conversation: Conversation): Conversation[][] =>
  pages.map((page) => page.map((one) => (one.participantId === conversation.participantId ? conversation : one)))

/** The list after a message was read, by either member. */
export const withReceipt = (pages: readonly Conversation[][], id: string): Conversation[][] =>
  pages.map((page) =>
    page.map((one) => (one.lastMessage.id === id ? { ...one, lastMessage: { ...one.lastMessage, read: true } } : one)),
  )

/** The list with a different unread count for one partner. */
export const withUnreadCount = (
  pages: readonly Conversation[][],
  partner: string,
  next: (count: number) => number,
): Conversation[][] =>
  pages.map((page) =>
    page.map((one) =>
      one.participantId === partner ? { ...one, unreadCount: Math.max(0, next(one.unreadCount)) } : one,
    ),
  )

/** Conversations of the whole list whose loaded messages match; those that match by name come from the database. */
export function mergeFound(
  byName: readonly Conversation[],
  all: readonly Conversation[],
  wanted: string,
): Conversation[] {
  const term = wanted.toLowerCase()
  const named = new Set(byName.map(({ participantId }) => participantId))
  const byMessage = all.filter(
    ({ participantId, messages }) =>
      !named.has(participantId) && messages.some(({ content }) => content.toLowerCase().includes(term)),
  )
  return [...byName, ...byMessage].toSorted((one, other) => (isNewer(one.lastMessage, other.lastMessage) ? -1 : 1))
}

export function countBySender(unread: readonly { sender_id: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { sender_id } of unread) counts.set(sender_id, (counts.get(sender_id) ?? 0) + 1)
  return counts
}

/**
 * Adds a message to pages, newest first. A known one keeps its position and is updated, but stays read: the response to
 * sending may arrive after the receipt.
 */
export function withMessage<T extends Message>(pages: readonly T[][], message: T): T[][] {
  const known = pages.some((page) => page.some((other) => other.id === message.id))
  if (known)
    return pages.map((page) =>
      page.map((other) =>
        other.id === message.id ? { ...other, ...message, read: other.read || message.read } : other,
      ),
    )
  if (pages.length === 0) return [[message]]
  return pages.map((page, index) => (index === 0 ? [message, ...page] : page))
}

export const withRead = <T extends Message>(pages: readonly T[][], id: string): T[][] =>
  pages.map((page) => page.map((message) => (message.id === id ? { ...message, read: true } : message)))

export interface Line {
  id: string
  content: string
  file_url: string | null
  mine: boolean
  created_at: string
  state: 'received' | 'sent' | 'read' | Delivery
  /** Why it was refused. */
  reason: string | null
  /** The first message of its day. */
  startsDay: boolean
  /** The last of a run by one sender within five minutes: shows the time. */
  endsRun: boolean
}

const runMs = 5 * 60_000

/** The lines to render, oldest first: the messages, then the outgoing ones. */
export function linesOf(newestFirst: readonly Message[], outbox: readonly Outgoing[], memberId: string): Line[] {
  const arrived = new Set(newestFirst.map(({ id }) => id))
  const all = [
    ...newestFirst.toReversed().map((message) => {
      const mine = message.sender_id === memberId
      const state: Line['state'] = !mine ? 'received' : message.read ? 'read' : 'sent'
      return {
        id: message.id,
        content: message.content,
        file_url: message.file_url,
        created_at: message.created_at,
        mine,
        state,
        reason: null,
      }
    }),
    ...outbox
      .filter(({ id }) => !arrived.has(id))
      .map(({ delivery, ...outgoing }) => ({ ...outgoing, mine: true, state: delivery })),
  ]
  return all.map((line, index) => {
    const before = all[index - 1]
    const after = all[index + 1]
    const day = formatDate(line.created_at)
    return {
      ...line,
      startsDay: !before || formatDate(before.created_at) !== day,
      endsRun:
        !after ||
        after.mine !== line.mine ||
        after.state !== line.state ||
        formatDate(after.created_at) !== day ||
        Date.parse(after.created_at) - Date.parse(line.created_at) > runMs,
    }
  })
}

const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
export const clockTime = (value: string) => {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? 'Invalid date' : clock.format(date).replace('\u202f', ' ')
}

export const maxMessageLength = 4_000
