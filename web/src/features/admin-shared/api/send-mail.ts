/** E-mail sent by an admin. */
import { supabase } from '@/lib/supabase/client'
import { adminCopy } from '../copy'

/** Sends a mail through the functions service; returns the reason when it is not sent. */
export async function sendMail(body: {
  notification: { type: string; title: string; content: string; metadata?: Record<string, string> }
  recipient: { email: string; full_name?: string }
}): Promise<string | null> {
  const sent = await supabase.functions.invoke<{ success: boolean; error: string | null }>('send-notification-email', {
    body,
  })
  if (sent.data) return sent.data.success ? null : (sent.data.error ?? adminCopy.notMailed)
  const cause: unknown = sent.error
  const answer = typeof cause === 'object' && cause && 'context' in cause ? cause.context : null
  if (!(answer instanceof Response)) return adminCopy.noMailService
  const refusal: unknown = await answer.json().catch(() => null)
  return typeof refusal === 'object' && refusal && 'error' in refusal && typeof refusal.error === 'string'
    ? refusal.error
    : adminCopy.notMailed
}
