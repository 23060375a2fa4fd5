/** A change of the e-mail address that waits for its confirmations. Pure. */
import type { User } from '@supabase/supabase-js'

export interface EmailChange {
  from: string
  to: string
  /** When its mails were sent, as the service says it. */
  since: string
}

/** How long the service takes the codes: GOTRUE_MAILER_OTP_EXP, which no stack sets. */
const codesLastMs = 24 * 60 * 60_000

/** The change under way; null also once its codes have expired. */
export function changeInProgress(user: User, now: number): EmailChange | null {
  const { email: from, new_email: to, email_change_sent_at: since } = user
  if (!from || !to || !since || now - Date.parse(since) > codesLastMs) return null
  return { from, to, since }
}
