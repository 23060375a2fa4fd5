/** Live messages: received, sent from another tab, and read (§7.52). */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { messageKeys } from '@/api/messages/keys'
import { afterAnswers } from '@/lib/live-lists/long-lists'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { supabase } from '@/lib/supabase/client'
import { type Message, otherParty } from '../model'
import { putInThread, putMessage, putRead } from './cache'

export function useMessagesLive(memberId: string): void {
  const queryClient = useQueryClient()
  const open = useCallback(() => {
    const table = { schema: 'public', table: 'messages' } as const
    const onInsert = ({ new: message }: { new: Message }) => {
      putMessage(queryClient, memberId, message)
      const thread = messageKeys.thread(memberId, otherParty(message, memberId))
      afterAnswers(queryClient, thread, () => putInThread(queryClient, memberId, message))
    }
    const onUpdate = ({ new: message }: { new: Message }) => {
      if (message.read) putRead(queryClient, memberId, message)
    }
    const received = `recipient_id=eq.${memberId}`
    const sent = `sender_id=eq.${memberId}`
    return supabase
      .channel(`messages:${memberId}`)
      .on<Message>('postgres_changes', { event: 'INSERT', ...table, filter: received }, onInsert)
      .on<Message>('postgres_changes', { event: 'UPDATE', ...table, filter: received }, onUpdate)
      .on<Message>('postgres_changes', { event: 'INSERT', ...table, filter: sent }, onInsert)
      .on<Message>('postgres_changes', { event: 'UPDATE', ...table, filter: sent }, onUpdate)
  }, [memberId, queryClient])
  useLiveRows({ open, gate: 'messages', queryKey: messageKeys.followed })
}
