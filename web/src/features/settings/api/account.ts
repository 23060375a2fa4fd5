/** The account behind the profile: password, address, sessions, and a copy of everything. */
import { paths } from '@/config/paths'
import { supabase } from '@/lib/supabase'

export async function changePassword(password: string): Promise<void> {
  const { error } = await supabase.auth.updateUser({ password })
  if (error) throw error
}

/** Both the old and the new address may be asked; nothing changes before the link is followed. */
export async function changeEmail(email: string): Promise<void> {
  const back = `${window.location.origin}${paths.authCallback}?next=${encodeURIComponent(paths.settings)}`
  const { error } = await supabase.auth.updateUser({ email }, { emailRedirectTo: back })
  if (error) throw error
}

export async function signOutEverywhere(): Promise<void> {
  const { error } = await supabase.auth.signOut({ scope: 'global' })
  if (error) throw error
}

const pageSize = 500

/** Every row of a table that is the member's, page by page. */
async function everyRow<T>(page: (from: number, to: number) => PromiseLike<{ data: T[] }>): Promise<T[]> {
  const rows: T[] = []
  for (;;) {
    const { data } = await page(rows.length, rows.length + pageSize - 1)
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
    everyRow((from, to) =>
      supabase.from(table).select('*').eq('user_id', memberId).order('id').range(from, to).throwOnError(),
    )
  const between = (table: 'connections' | 'messages', left: string, right: string) =>
    everyRow((from, to) =>
      supabase
        .from(table)
        .select('*')
        .or(`${left}.eq.${memberId},${right}.eq.${memberId}`)
        .order('id')
        .range(from, to)
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
  }
}
