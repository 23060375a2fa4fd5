/** Conversations from the newest messages, one thread by page, and what may be sent (§7.8, §7.19, §7.41). */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { messageKeys } from '@/api/messages/keys'
import { parsePrivacySettings } from '@/api/profiles/privacy-settings'
import { type Cursor, nextCursor, olderThan, ownCursor, type Page, pageOf } from '@/lib/keyset'
import { logError } from '@/lib/log'
import { supabase } from '@/lib/supabase'
import type { EnrichedMessage, Message, Outgoing } from '../model'

const recentPage = 100
const threadPage = 40

const columns = 'id, sender_id, recipient_id, content, read, created_at'
export const enrichedColumns =
  `${columns}, sender_profile:profiles!messages_sender_id_fkey(id, full_name, avatar_url), recipient_profile:profiles!messages_recipient_id_fkey(id, full_name, avatar_url)` as const

/** §3.18 by §7.7: each person is asked for once, which is far less work than two joins a message. */
async function enrich(messages: Message[], signal: AbortSignal): Promise<EnrichedMessage[]> {
  if (messages.length === 0) return []
  const ids = [...new Set(messages.flatMap((message) => [message.sender_id, message.recipient_id]))]
  const { data } = await supabase
    .from('profiles')
    .select('id, full_name, avatar_url')
    .in('id', ids)
    .abortSignal(signal)
    .throwOnError()
  const people = new Map(data.map((person) => [person.id, person]))
  return messages.map((message) => ({
    ...message,
    sender_profile: people.get(message.sender_id) ?? null,
    recipient_profile: people.get(message.recipient_id) ?? null,
  }))
}

/** §7.19: sent or received, newest first. */
export const recentQuery = (memberId: string) =>
  infiniteQueryOptions({
    queryKey: messageKeys.recent(memberId),
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal }): Promise<Page<EnrichedMessage>> => {
      let rows = supabase.from('messages').select(columns).or(`sender_id.eq.${memberId},recipient_id.eq.${memberId}`)
      if (pageParam) rows = rows.or(olderThan(pageParam))
      const { data } = await rows
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(recentPage)
        .abortSignal(signal)
        .throwOnError()
      return pageOf(await enrich(data, signal), recentPage)
    },
    getNextPageParam: (_page, pages) => nextCursor(pages, ownCursor),
  })

export const threadQuery = (memberId: string, otherId: string) =>
  infiniteQueryOptions({
    queryKey: messageKeys.thread(memberId, otherId),
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal }): Promise<Page<Message>> => {
      let rows = supabase
        .from('messages')
        .select(columns)
        .or(
          `and(sender_id.eq.${memberId},recipient_id.eq.${otherId}),and(sender_id.eq.${otherId},recipient_id.eq.${memberId})`,
        )
      if (pageParam) rows = rows.or(olderThan(pageParam))
      const { data } = await rows
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(threadPage)
        .abortSignal(signal)
        .throwOnError()
      return pageOf(data, threadPage)
    },
    getNextPageParam: (_page, pages) => nextCursor(pages, ownCursor),
  })

/** What is on its way lives in the cache only, as long as the page does. */
export const outboxQuery = (memberId: string, otherId: string) =>
  queryOptions({
    queryKey: messageKeys.outbox(memberId, otherId),
    queryFn: (): Outgoing[] => [],
    staleTime: Infinity,
    gcTime: Infinity,
  })

/** Who the other is, and whether strangers may write; null when hidden. */
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

/** §5.22: how many messages to non-connections were sent today; the counter is brought to today first (§7.41). */
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
