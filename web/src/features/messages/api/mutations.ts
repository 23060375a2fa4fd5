/** Sending and reading (§7.20-21). */
import { supabase } from '@/lib/supabase/client'
import type { EnrichedMessage } from '../model'
import { enrichedColumns } from './queries'

/** The database rejects the message, with the exact texts of §5.20 and §5.21. */
export class Refusal extends Error {}

const refusals = ['PT403', 'PT429']
const uniqueViolation = '23505'

/** A retry with the same id is the same message: an existing one counts as sent. */
export async function sendMessage(message: {
  id: string
  sender_id: string
  recipient_id: string
  content: string
  file_url: string | null
}): Promise<EnrichedMessage> {
  const { data, error } = await supabase
    .from('messages')
    .insert({ ...message, read: false })
    .select(enrichedColumns)
    .single()
  if (!error) return data
  if (error.code === uniqueViolation) return messageById(message.id)
  if (refusals.includes(error.code)) throw new Refusal(error.message)
  throw error
}

async function messageById(id: string): Promise<EnrichedMessage> {
  const { data } = await supabase.from('messages').select(enrichedColumns).eq('id', id).single().throwOnError()
  return data
}

/** §4.21, §7.21: marks all unread messages of one sender as read. */
export async function markRead(memberId: string, senderId: string): Promise<void> {
  await supabase
    .from('messages')
    .update({ read: true })
    .eq('recipient_id', memberId)
    .eq('sender_id', senderId)
    .eq('read', false)
    .throwOnError()
}
