/** The account: password, e-mail address, sessions, and data export. */
import { paths } from '@/config/paths'
import { supabase } from '@/lib/supabase/client'
import { readDevices } from '../push/devices'

export async function changePassword(password: string): Promise<void> {
  const { error } = await supabase.auth.updateUser({ password })
  if (error) throw error
}

/** Both addresses have to confirm, by the links or the codes of their mails; nothing changes before. */
export async function changeEmail(email: string): Promise<void> {
  const back = `${window.location.origin}${paths.authCallback}?next=${encodeURIComponent(paths.settings)}`
  const { error } = await supabase.auth.updateUser({ email }, { emailRedirectTo: back })
  if (error) throw error
}

/** Tries the code as each address's; null: it is nobody's. `changed`: it was the last one. */
export async function confirmEmailChange(
  addresses: readonly string[],
  code: string,
): Promise<{ address: string; changed: boolean } | null> {
  for (const address of addresses) {
    const { data, error } = await supabase.auth.verifyOtp({ email: address, token: code, type: 'email_change' })
    if (!error) return { address, changed: data.session !== null }
    if (error.code !== 'otp_expired') throw error
  }
  return null
}

export async function signOutEverywhere(): Promise<void> {
  const { error } = await supabase.auth.signOut({ scope: 'global' })
  if (error) throw error
}

/** Requires recent authentication: the database demands a sign-in within the last ten minutes. */
export async function deleteAccount(proof: { email: string; password: string } | null): Promise<void> {
  if (proof) {
    const { error } = await supabase.auth.signInWithPassword(proof)
    if (error) throw error
  }
  await supabase.rpc('delete_own_account').throwOnError()
}

const pageSize = 500
const firstId = '00000000-0000-0000-0000-000000000000'

/** All rows of a table that belong to the member, page by page, by cursor. */
async function allRows<T extends { id: string }>(page: (after: string) => PromiseLike<{ data: T[] }>): Promise<T[]> {
  const rows: T[] = []
  for (;;) {
    const { data } = await page(rows.at(-1)?.id ?? firstId)
    rows.push(...data)
    if (data.length < pageSize) return rows
  }
}

export async function collectOwnData(memberId: string) {
  const own = (
    table:
      | 'posts'
      | 'comments'
      | 'reactions'
      | 'notifications'
      | 'certifications'
      | 'awards'
      | 'career_milestones'
      | 'projects',
  ) =>
    allRows((after) =>
      supabase
        .from(table)
        .select('*')
        .eq('user_id', memberId)
        .gt('id', after)
        .order('id')
        .limit(pageSize)
        .throwOnError(),
    )
  const between = (table: 'connections' | 'messages', left: string, right: string) =>
    allRows((after) =>
      supabase
        .from(table)
        .select('*')
        .or(`${left}.eq.${memberId},${right}.eq.${memberId}`)
        .gt('id', after)
        .order('id')
        .limit(pageSize)
        .throwOnError(),
    )
  const { data: profile } = await supabase.from('profiles').select('*').eq('id', memberId).maybeSingle().throwOnError()
  return {
    exported_at: new Date().toISOString(),
    profile,
    certifications: await own('certifications'),
    awards: await own('awards'),
    career_milestones: await own('career_milestones'),
    projects: await own('projects'),
    posts: await own('posts'),
    comments: await own('comments'),
    reactions: await own('reactions'),
    connections: await between('connections', 'user_id', 'connected_user_id'),
    messages: await between('messages', 'sender_id', 'recipient_id'),
    notifications: await own('notifications'),
    // Without the address that a push service gave the device, which is as good as a key.
    devices: (await readDevices()).map(({ endpoint: _address, ...device }) => device),
  }
}
