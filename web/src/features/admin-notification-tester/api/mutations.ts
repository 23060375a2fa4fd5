/** Sends a real notification. */
import { supabase } from '@/lib/supabase/client'
import { messageForPeople } from '@/lib/supabase/errors'
import { copy } from '../copy'

/** Creates a notification for a member; returns the reason, or what to do, when it isn't created. */
export async function insertNotification(row: {
  user_id: string
  type: string
  title: string
  content: string
  metadata: { url?: string; user_id: string }
}): Promise<string | null> {
  const { error } = await supabase.from('notifications').insert({ ...row, seen: false })
  return error && messageForPeople(error, copy.tryAgain)
}
