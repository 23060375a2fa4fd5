/** Messages become conversations, days and groups (§3.18-19). Pure. */
import { formatDate } from '@/lib/dates'

export interface Party {
  id: string
  full_name: string | null
  avatar_url: string | null
}

export interface Message {
  id: string
  sender_id: string
  recipient_id: string
  content: string
  read: boolean
  created_at: string
}

/** §3.18: fetched messages carry both profiles; null where privacy hides them. */
export interface EnrichedMessage extends Message {
  sender_profile: Party | null
  recipient_profile: Party | null
}

export interface Conversation {
  participantId: string
  messages: EnrichedMessage[]
  lastMessage: EnrichedMessage
  unreadCount: number
  participantName: string
  participantAvatar: string | null
}

/** A message on its way: kept here until the server has it. Its id makes a second try the same message. */
export interface Outgoing {
  id: string
  content: string
  created_at: string
  failed: boolean
}

export const otherParty = (message: Message, memberId: string) =>
  message.sender_id === memberId ? message.recipient_id : message.sender_id

/** §3.19: newest first, by the other side. `unread` counts by sender, past what is loaded. */
export function conversationsOf(
  newestFirst: readonly EnrichedMessage[],
  memberId: string,
  unread: ReadonlyMap<string, number>,
): Conversation[] {
  const found = new Map<string, Conversation>()
  for (const message of newestFirst) {
    const participantId = otherParty(message, memberId)
    const known = found.get(participantId)
    if (known) {
      known.messages.push(message)
      continue
    }
    const party = message.sender_id === memberId ? message.recipient_profile : message.sender_profile
    found.set(participantId, {
      participantId,
      messages: [message],
      lastMessage: message,
      unreadCount: unread.get(participantId) ?? 0,
      participantName: party?.full_name?.trim() || 'User',
      participantAvatar: party?.avatar_url ?? null,
    })
  }
  return [...found.values()]
}

export function countBySender(unread: readonly { sender_id: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { sender_id } of unread) counts.set(sender_id, (counts.get(sender_id) ?? 0) + 1)
  return counts
}

/** Adds a message to pages that are newest first; one that is known keeps its place and takes what is new, and what was read stays read: the answer to a sending may come after the receipt. */
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
  mine: boolean
  created_at: string
  state: 'received' | 'sent' | 'read' | 'sending' | 'failed'
  /** The first of a day: the day. */
  day: string | null
  /** The last of a run of one side within five minutes: says when. */
  endsRun: boolean
}

const runMs = 5 * 60_000

/** What is drawn, oldest first: the messages, then what is still on its way. */
export function linesOf(newestFirst: readonly Message[], outbox: readonly Outgoing[], memberId: string): Line[] {
  const arrived = new Set(newestFirst.map(({ id }) => id))
  const all = [
    ...newestFirst.toReversed().map((message) => {
      const mine = message.sender_id === memberId
      const state: Line['state'] = !mine ? 'received' : message.read ? 'read' : 'sent'
      return { id: message.id, content: message.content, created_at: message.created_at, mine, state }
    }),
    ...outbox
      .filter(({ id }) => !arrived.has(id))
      .map(({ id, content, created_at, failed }) => {
        const state: Line['state'] = failed ? 'failed' : 'sending'
        return { id, content, created_at, mine: true, state }
      }),
  ]
  return all.map((line, index) => {
    const before = all[index - 1]
    const after = all[index + 1]
    const day = formatDate(line.created_at)
    return {
      ...line,
      day: before && formatDate(before.created_at) === day ? null : day,
      endsRun:
        !after ||
        after.mine !== line.mine ||
        after.state !== line.state ||
        formatDate(after.created_at) !== day ||
        Date.parse(after.created_at) - Date.parse(line.created_at) > runMs,
    }
  })
}

const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
export const clockTime = (value: string) => {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? 'Invalid date' : clock.format(date)
}

export const maxMessageLength = 4_000
