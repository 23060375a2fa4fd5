/** What admins do on the waitlist. The database decides whether they may. */
import { requireRows } from '@/features/admin-shared/api/require-rows'
import { sendMail } from '@/features/admin-shared/api/send-mail'
import { supabase } from '@/lib/supabase/client'
import type { WaitlistStatus } from '../model'

/** Sets the status of entries that have one of `from`, and says which those were. */
async function moveWaitlist(ids: string[], from: WaitlistStatus[], status: WaitlistStatus) {
  if (ids.length === 0) return []
  const { data } = await supabase
    .from('waitlist')
    .update({ status })
    .in('id', ids)
    .in('status', from)
    .select('id, email')
    .throwOnError()
  return data
}

/** An entry that became active meanwhile stays it: an account is not taken back. */
export async function setWaitlistStatus(ids: string[], status: WaitlistStatus): Promise<void> {
  requireRows(await moveWaitlist(ids, ['waitlist', 'pending', 'invited'], status))
}

export async function removeFromWaitlist(id: string): Promise<void> {
  const { data } = await supabase.from('waitlist').delete().eq('id', id).select('id').throwOnError()
  requireRows(data)
}

export interface Invited {
  mailed: number
  /** Why mails did not go out, with their addresses. */
  reasons: string[]
  /** How many were not invited: another admin was quicker, they joined meanwhile, or they are gone. */
  passed: number
}

/**
 * Status first, for the link in the mail asks for it; then one mail after the other. Of two admins who invite the same
 * entry at the same moment one finds it invited already, and only the other mails it; who sees it invited may repeat it.
 */
export async function invite(entries: { id: string; status: string }[]): Promise<Invited> {
  const ids = (again: boolean) => entries.filter(({ status }) => (status === 'invited') === again).map(({ id }) => id)
  const moved = requireRows([
    ...(await moveWaitlist(ids(false), ['waitlist', 'pending'], 'invited')),
    ...(await moveWaitlist(ids(true), ['invited'], 'invited')),
  ])
  const reasons: string[] = []
  for (const { email } of moved) {
    const reason = await sendMail({
      notification: { type: 'invitation', title: '', content: '' },
      recipient: { email },
    })
    if (reason) reasons.push(`${email}: ${reason}`)
  }
  return { mailed: moved.length - reasons.length, reasons, passed: entries.length - moved.length }
}
