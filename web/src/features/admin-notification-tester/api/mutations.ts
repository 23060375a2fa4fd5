/** Sends a real notification. */
import { supabase } from '@/lib/supabase/client'

/** Puts a notification before a member; the reason when the database refuses it. */
export async function insertNotification(row: {
  user_id: string
  type: string
  title: string
  content: string
  metadata: { url?: string; user_id: string }
}): Promise<string | null> {
  const { error } = await supabase.from('notifications').insert({ ...row, seen: false })
  return error?.message ?? null
}
