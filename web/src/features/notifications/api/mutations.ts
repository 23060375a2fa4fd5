/** Marking the member's own notifications as read and deleting them (§4.23, §7.16). */
import { supabase } from '@/lib/supabase/client'

export async function markAllSeen(memberId: string): Promise<void> {
  await supabase.from('notifications').update({ seen: true }).eq('user_id', memberId).eq('seen', false).throwOnError()
}

export async function markSeen(ids: readonly string[]): Promise<void> {
  await supabase.from('notifications').update({ seen: true }).in('id', ids).throwOnError()
}

export async function deleteNotifications(ids: readonly string[]): Promise<void> {
  await supabase.from('notifications').delete().in('id', ids).throwOnError()
}
