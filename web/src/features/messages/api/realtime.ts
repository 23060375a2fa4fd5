/** Live messages: what arrives and is read (§7.52), and what becomes of one's own: receipts, and other tabs. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { messageKeys } from '@/api/messages/keys'
import { backoffMs, limits } from '@/config/limits'
import { gates } from '@/lib/live-lists/live-gate'
import { catchUp } from '@/lib/live-lists/long-lists'
import { keepSubscribed, type RetryPolicy } from '@/lib/supabase/keep-subscribed'
import { supabase } from '@/lib/supabase/client'
import { useReconnect } from '@/lib/live-lists/use-reconnect'
import type { Message } from '../model'
import { putMessage, putRead } from './cache'

const policy: RetryPolicy = {
  delayMs: (attempt) => (attempt >= limits.connectionRetries ? null : backoffMs(attempt)),
}

export function useMessagesLive(memberId: string): void {
  const queryClient = useQueryClient()
  const { round, giveUp } = useReconnect()
  useEffect(() => {
    const table = { schema: 'public', table: 'messages' } as const
    const arrived = ({ new: message }: { new: Message }) => putMessage(queryClient, memberId, message)
    const changed = ({ new: message }: { new: Message }) => {
      if (message.read) putRead(queryClient, memberId, message)
    }
    const end = keepSubscribed({
      open: () => {
        const received = `recipient_id=eq.${memberId}`
        const sent = `sender_id=eq.${memberId}`
        return supabase
          .channel(`messages:${memberId}`)
          .on<Message>('postgres_changes', { event: 'INSERT', ...table, filter: received }, arrived)
          .on<Message>('postgres_changes', { event: 'UPDATE', ...table, filter: received }, changed)
          .on<Message>('postgres_changes', { event: 'INSERT', ...table, filter: sent }, arrived)
          .on<Message>('postgres_changes', { event: 'UPDATE', ...table, filter: sent }, changed)
      },
      close: (channel) => supabase.removeChannel(channel),
      policy,
      onGiveUp: giveUp,
      onLive: () => {
        gates.opened('messages')
        catchUp(queryClient, messageKeys.followed)
      },
    })
    return () => {
      gates.closed('messages')
      end()
    }
  }, [memberId, queryClient, round, giveUp])
}
