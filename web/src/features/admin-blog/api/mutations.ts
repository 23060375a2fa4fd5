/** Saving and deleting articles. The database decides who may. */
import { supabase } from '@/lib/supabase/client'
import { copy } from '../copy'

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
  if (!before || force || !(await isThere(before.id))) throw new Error(copy.gone)
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
  if (data.length === 0) throw new Error(copy.gone)
}
