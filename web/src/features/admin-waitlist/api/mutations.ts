/** Admin actions on the waitlist. The database enforces permissions. */
import { requireRows } from '@/features/admin-shared/api/require-rows'
import { sendMail } from '@/features/admin-shared/api/send-mail'
import { supabase } from '@/lib/supabase/client'
import type { WaitlistStatus } from '../model'

/** Sets the status of the entries that have one of `from`, and returns the changed ones. */
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

/** An entry that became active in the meantime stays active: its account is kept. */
export async function setWaitlistStatus(ids: string[], status: WaitlistStatus): Promise<void> {
  requireRows(await moveWaitlist(ids, ['waitlist', 'pending', 'invited'], status))
}

export async function removeFromWaitlist(id: string): Promise<void> {
  const { data } = await supabase.from('waitlist').delete().eq('id', id).select('id').throwOnError()
  requireRows(data)
}

/** An address that never joined is added first; one that did keeps its entry and its answers. */
export async function inviteAddress(address: string): Promise<Invited> {
  const email = address.toLowerCase()
  await supabase
    .from('waitlist')
    .upsert({ email, status: 'waitlist' }, { onConflict: 'email', ignoreDuplicates: true })
    .throwOnError()
  const { data } = await supabase.from('waitlist').select('id, status').eq('email', email).throwOnError()
  return invite(requireRows(data))
}

export interface Invited {
  /** The addresses that were mailed. */
  mailed: string[]
  /** How many were not invited because they are members already. */
  members: number
  /** Reasons for mails that were not sent, with their addresses. */
  reasons: string[]
  /** How many were not invited: another admin was faster, they joined in the meantime, or they were deleted. */
  passed: number
}

/**
 * Status first, because the link in the mail requires it; then one mail after the other. When two admins invite the same
 * entry at once, one of them finds it already invited, and only the other sends the mail; an invitation can be resent.
 */
export async function invite(entries: { id: string; status: string }[]): Promise<Invited> {
  const open = entries.filter(({ status }) => status !== 'active')
  if (open.length === 0) return { mailed: [], members: entries.length, reasons: [], passed: 0 }
  const ids = (again: boolean) => open.filter(({ status }) => (status === 'invited') === again).map(({ id }) => id)
  const moved = requireRows([
    ...(await moveWaitlist(ids(false), ['waitlist', 'pending'], 'invited')),
    ...(await moveWaitlist(ids(true), ['invited'], 'invited')),
  ])
  const mailed: string[] = []
  const reasons: string[] = []
  for (const { email } of moved) {
    const reason = await sendMail({
      notification: { type: 'invitation', title: '', content: '' },
      recipient: { email },
    })
    if (reason) reasons.push(`${email}: ${reason}`)
    else mailed.push(email)
  }
  return { mailed, members: entries.length - open.length, reasons, passed: open.length - moved.length }
}
