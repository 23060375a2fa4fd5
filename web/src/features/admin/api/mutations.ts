/** What admins do. The database decides whether they may. */
import { supabase } from '@/lib/supabase'
import { copy } from '../copy'
import type { WaitlistStatus } from '../model'

export type MemberAct = 'grant' | 'revoke' | 'suspend' | 'restore' | 'delete'

export async function actOnMember(act: MemberAct, uid: string): Promise<void> {
  switch (act) {
    case 'grant':
    case 'revoke':
      await supabase.rpc('set_admin', { uid, admin: act === 'grant' }).throwOnError()
      return
    case 'suspend':
    case 'restore':
      await supabase.rpc('suspend_member', { uid, suspended: act === 'suspend' }).throwOnError()
      return
    case 'delete':
      await supabase.rpc('delete_member', { uid }).throwOnError()
  }
}

/** An entry that became active meanwhile stays it: an account is not taken back. */
export async function setWaitlistStatus(ids: string[], status: WaitlistStatus): Promise<number> {
  const { data } = await supabase
    .from('waitlist')
    .update({ status })
    .in('id', ids)
    .neq('status', 'active')
    .select('id')
    .throwOnError()
  return data.length
}

export async function removeFromWaitlist(id: string): Promise<void> {
  await supabase.from('waitlist').delete().eq('id', id).throwOnError()
}

/** Sends a mail through the functions service; the reason when none goes out. */
export async function sendMail(body: {
  notification: { type: string; title: string; content: string; metadata?: Record<string, string> }
  recipient: { email: string; full_name?: string }
}): Promise<string | null> {
  const sent = await supabase.functions.invoke<{ success: boolean; error: string | null }>('send-notification-email', {
    body,
  })
  if (sent.data) return sent.data.success ? null : (sent.data.error ?? copy.notMailed)
  const cause: unknown = sent.error
  const answer = typeof cause === 'object' && cause && 'context' in cause ? cause.context : null
  if (!(answer instanceof Response)) return copy.noMailService
  const refusal: unknown = await answer.json().catch(() => null)
  return typeof refusal === 'object' && refusal && 'error' in refusal && typeof refusal.error === 'string'
    ? refusal.error
    : copy.notMailed
}

/** Status first, for the link in the mail asks for it; then one mail after the other. */
export async function invite(entries: { id: string; email: string }[]): Promise<{ mailed: number; reasons: string[] }> {
  await setWaitlistStatus(
    entries.map(({ id }) => id),
    'invited',
  )
  const reasons: string[] = []
  for (const { email } of entries) {
    const reason = await sendMail({
      notification: { type: 'invitation', title: '', content: '' },
      recipient: { email },
    })
    if (reason) reasons.push(`${email}: ${reason}`)
  }
  return { mailed: entries.length - reasons.length, reasons }
}

export async function setFeedbackStatus(id: string, status: string): Promise<void> {
  await supabase.from('feedback').update({ status }).eq('id', id).throwOnError()
}

/** The account behind an address may have no profile: then the functions service refuses, and says so. */
export async function answerFeedback(email: string, title: string, content: string): Promise<void> {
  const reason = await sendMail({ notification: { type: 'system', title, content }, recipient: { email } })
  if (reason) throw new Error(reason)
}

export interface ArticleRow {
  title: string
  slug: string
  summary: string | null
  category: string
  tags: string[]
  featured_image: string | null
  content: string
  is_featured: boolean
  is_public_blog: boolean
}

/** Saves an article, new or known; null when another one has the address. */
export async function saveArticle(id: string | null, row: ArticleRow): Promise<string | null> {
  const answer = id
    ? await supabase.from('posts').update(row).eq('id', id).eq('is_blog_post', true).select('id')
    : await supabase
        .from('posts')
        .insert({ ...row, kind: 'lesson', is_blog_post: true })
        .select('id')
  if (answer.error?.code === '23505') return null
  if (answer.error) throw new Error(answer.error.message)
  const saved = answer.data[0]
  if (!saved) throw new Error(copy.blog.gone)
  return saved.id
}

export async function deleteArticle(id: string): Promise<void> {
  await supabase.from('posts').delete().eq('id', id).eq('is_blog_post', true).throwOnError()
}

/** Puts a notification before a member; the reason when the database refuses it. */
export async function tryNotice(row: {
  user_id: string
  type: string
  title: string
  content: string
  metadata: { url?: string; user_id: string }
}): Promise<string | null> {
  const { error } = await supabase.from('notifications').insert({ ...row, seen: false })
  return error?.message ?? null
}
