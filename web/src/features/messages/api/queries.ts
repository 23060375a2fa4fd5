/** Conversations by page, one thread by page, and the sending limits (§7.8, §7.19, §7.41). */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { messageKeys } from '@/api/messages/keys'
import { parsePrivacySettings } from '@/api/profiles/privacy-settings'
import { type Cursor, nextCursor, olderThan, outlineOf, ownCursor, type Page, pageOf } from '@/lib/live-lists/keyset'
import { gates, pagePatienceMs } from '@/lib/live-lists/live-gate'
import { logError } from '@/lib/browser/log'
import { supabase } from '@/lib/supabase/client'
import { type Conversation, conversationOf, type EnrichedMessage, type Message } from '../model'

const conversationsPage = 30
const threadPage = 40
/** The maximum page size of the procedure. */
const mostConversations = 100

const columns = 'id, sender_id, recipient_id, content, file_url, read, created_at'
export const enrichedColumns =
  `${columns}, sender_profile:profiles!messages_sender_id_fkey(id, full_name, avatar_url), recipient_profile:profiles!messages_recipient_id_fkey(id, full_name, avatar_url)` as const

/** §3.18, §7.7: a message received live, with both profiles. */
export async function enrich(message: Message): Promise<EnrichedMessage> {
  const { data } = await supabase
    .from('profiles')
    .select('id, full_name, avatar_url')
    .in('id', [message.sender_id, message.recipient_id])
    .throwOnError()
  const profileOf = (id: string) => data.find((person) => person.id === id) ?? null
  return {
    ...message,
    sender_profile: profileOf(message.sender_id),
    recipient_profile: profileOf(message.recipient_id),
  }
}

/** Conversations by partner, latest first; `term`: part of the name, '' for all. */
export const conversationsQuery = (memberId: string, term: string) =>
  infiniteQueryOptions({
    queryKey: messageKeys.conversations(memberId, term),
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal }): Promise<Page<Conversation>> => {
      const followed = await gates.passed('messages', signal, pagePatienceMs)
      signal.throwIfAborted()
      const { data } = await supabase
        .rpc('conversations', {
          search: term,
          page_size: conversationsPage,
          ...(pageParam && { before_at: pageParam.created_at, before_id: pageParam.id }),
        })
        .abortSignal(signal)
        .throwOnError()
      return pageOf(
        data.map((row) => conversationOf(row, memberId)),
        conversationsPage,
        followed,
      )
    },
    getNextPageParam: (_page, pages) => nextCursor(pages, ({ lastMessage }) => ownCursor(lastMessage)),
    meta: {
      outline: outlineOf(
        ({ lastMessage: { id, read } }: Conversation) => `${id} ${read}`,
        async (count) => {
          if (count > mostConversations) throw new Error('More than one page can tell')
          const { data } = await supabase
            .rpc('conversations', { search: term, page_size: count })
            .select('last_message_id, last_message_is_read')
            .throwOnError()
          return data.map((row) => `${row.last_message_id} ${row.last_message_is_read}`)
        },
      ),
    },
  })

/** The newer of the two. */
const messagesBetween = <const Columns extends string>(memberId: string, otherId: string, columns: Columns) =>
  supabase
    .from('messages')
    .select(columns)
    .or(
      `and(sender_id.eq.${memberId},recipient_id.eq.${otherId}),and(sender_id.eq.${otherId},recipient_id.eq.${memberId})`,
    )
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })

/** §7.19: sent or received, newest first. */
export const threadQuery = (memberId: string, otherId: string) =>
  infiniteQueryOptions({
    queryKey: messageKeys.thread(memberId, otherId),
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal }): Promise<Page<Message>> => {
      const followed = await gates.passed('messages', signal, pagePatienceMs)
      signal.throwIfAborted()
      let rows = messagesBetween(memberId, otherId, columns)
      if (pageParam) rows = rows.or(olderThan(pageParam))
      const { data } = await rows.limit(threadPage).abortSignal(signal).throwOnError()
      return pageOf(data, threadPage, followed)
    },
    getNextPageParam: (_page, pages) => nextCursor(pages, ownCursor),
    meta: {
      outline: outlineOf(
        ({ id, read }: Message) => `${id} ${read}`,
        async (count) => {
          const { data } = await messagesBetween(memberId, otherId, 'id, read').limit(count).throwOnError()
          return data.map(({ id, read }) => `${id} ${read}`)
        },
      ),
    },
  })

/** The recipient's profile, and whether strangers may write; null when hidden. */
export const recipientQuery = (otherId: string) =>
  queryOptions({
    queryKey: messageKeys.recipient(otherId),
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('profiles')
        .select('id, full_name, avatar_url, position, department, privacy_settings')
        .eq('id', otherId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      if (!data) return null
      const { privacy_settings, ...person } = data
      return { ...person, isOpen: parsePrivacySettings(privacy_settings)?.allow_messages_from_anyone ?? true }
    },
  })

/** §5.22: how many messages to non-connections were sent today; resets the counter on a new day (§7.41). */
export const allowanceQuery = (memberId: string) =>
  queryOptions({
    queryKey: messageKeys.allowance(memberId),
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const reset = await supabase.rpc('reset_daily_message_limits').abortSignal(signal)
      if (reset.error) logError('The daily limit could not be reset', reset.error.message)
      const { data } = await supabase
        .from('profiles')
        .select('privacy_settings')
        .eq('id', memberId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return parsePrivacySettings(data?.privacy_settings)?.non_connection_messages_today ?? 0
    },
  })
