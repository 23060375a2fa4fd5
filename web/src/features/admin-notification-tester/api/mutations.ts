/** Sends a real notification. */
import { supabase } from '@/lib/supabase/client'

/** Creates a notification for a member; returns the reason when the database rejects it. */
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
