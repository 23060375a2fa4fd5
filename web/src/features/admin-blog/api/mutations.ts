/** Saving and deleting articles. The database enforces permissions. */
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

/** An article as stored in the database: the next save is compared with it. */
export interface SavedArticle {
  id: string
  slug: string
  published: boolean
  /** Time of the last change, as the database formats it. */
  version: string
}

export type Saving =
  | { outcome: 'saved'; article: SavedArticle }
  /** The slug is taken by another article. */
  | { outcome: 'taken' }
  /** Somebody else saved it since it was opened here; nothing was written. */
  | { outcome: 'changed' }

const stored = 'id, slug, is_public_blog, updated_at'

/** Saves a new or existing article; overwrites another version only with `force`. Throws when deleted or rejected. */
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

/** RLS hides the row from former admins, so a delete without an affected row is reported as an error. */
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
