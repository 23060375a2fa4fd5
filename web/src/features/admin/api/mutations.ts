/** What admins do. The database decides whether they may. */
import { supabase } from '@/lib/supabase/client'
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

/** The database passes over what one may not touch: when no row was hit, that is said. */
function demandSome<Row>(rows: Row[]): Row[] {
  if (rows.length === 0) throw new Error(copy.nothingDone)
  return rows
}

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
  demandSome(await moveWaitlist(ids, ['waitlist', 'pending', 'invited'], status))
}

export async function removeFromWaitlist(id: string): Promise<void> {
  const { data } = await supabase.from('waitlist').delete().eq('id', id).select('id').throwOnError()
  demandSome(data)
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
  const moved = demandSome([
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

export async function setFeedbackStatus(id: string, status: string): Promise<void> {
  const { data } = await supabase.from('feedback').update({ status }).eq('id', id).select('id').throwOnError()
  demandSome(data)
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

/** An article as the database has it: what the next save is compared with. */
export interface SavedArticle {
  id: string
  slug: string
  published: boolean
  /** When it was last changed, as the database writes it. */
  version: string
}

export type Saving =
  | { outcome: 'saved'; article: SavedArticle }
  /** Another article has the address. */
  | { outcome: 'taken' }
  /** Somebody saved it since it was opened here; nothing was written. */
  | { outcome: 'changed' }

const stored = 'id, slug, is_public_blog, updated_at'

/** Saves an article, new or known; over somebody else's work only with `force`. Throws when it is gone or refused. */
export async function saveArticle(before: SavedArticle | null, row: ArticleRow, force: boolean): Promise<Saving> {
  const known = before && supabase.from('posts').update(row).eq('id', before.id).eq('is_blog_post', true)
  const answer = await (known
    ? (force ? known : known.eq('updated_at', before.version)).select(stored)
    : supabase
        .from('posts')
        .insert({ ...row, kind: 'lesson', is_blog_post: true })
        .select(stored))
  if (answer.error?.code === '23505') return { outcome: 'taken' }
  if (answer.error) throw new Error(answer.error.message)
  const saved = answer.data[0]
  if (saved) return { outcome: 'saved', article: savedArticle(saved) }
  if (!before || force || !(await isThere(before.id))) throw new Error(copy.blog.gone)
  return { outcome: 'changed' }
}

export const savedArticle = (row: {
  id: string
  slug: string | null
  is_public_blog: boolean
  updated_at: string
}): SavedArticle => ({
  id: row.id,
  slug: row.slug ?? '',
  published: row.is_public_blog,
  version: row.updated_at,
})

async function isThere(id: string): Promise<boolean> {
  const { data } = await supabase.from('posts').select('id').eq('id', id).eq('is_blog_post', true).throwOnError()
  return data.length > 0
}

/** Refused to whoever is no admin any more, and then no row is hit: that is said, not passed over. */
export async function deleteArticle(id: string): Promise<void> {
  const { data } = await supabase
    .from('posts')
    .delete()
    .eq('id', id)
    .eq('is_blog_post', true)
    .select('id')
    .throwOnError()
  if (data.length === 0) throw new Error(copy.blog.gone)
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
