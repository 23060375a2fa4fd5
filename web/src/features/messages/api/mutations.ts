/** Sending and reading (§7.20-21). */
import { supabase } from '@/lib/supabase/client'
import { dataOf, isDuplicate } from '@/lib/supabase/errors'
import type { EnrichedMessage } from '../model'
import { enrichedColumns } from './queries'

/** A retry with the same id is the same message: an existing one counts as sent. Throws RequestError. */
export async function sendMessage(message: {
  id: string
  sender_id: string
  recipient_id: string
  content: string
  file_url: string | null
}): Promise<EnrichedMessage> {
  try {
    const row = { ...message, read: false }
    return dataOf(await supabase.from('messages').insert(row).select(enrichedColumns).single())
  } catch (cause) {
    if (!isDuplicate(cause)) throw cause
    return dataOf(await supabase.from('messages').select(enrichedColumns).eq('id', message.id).single())
  }
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
