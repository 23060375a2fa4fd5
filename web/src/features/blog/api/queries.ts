/** The blog's queries: public articles, one article, and authors (§7.12, §7.35-37). */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { loadSupabase } from '@/lib/supabase/load-client'
import { isUuid } from '@/lib/format/uuid'
import { type Article, type Author, toArticle } from '../model'
import { blogKeys } from './keys'

const columns = 'id, user_id, title, summary, content, category, featured_image, slug, tags, created_at'

export const articlesQuery = (limit: number | null = null) =>
  queryOptions({
    queryKey: blogKeys.list(limit),
    queryFn: async ({ signal }): Promise<Article[]> => {
      const supabase = await loadSupabase()
      const published = supabase
        .from('posts')
        .select(columns)
        .eq('is_command_post', false)
        .eq('is_blog_post', true)
        .eq('is_public_blog', true)
      // Where only a few are shown, featured articles come first.
      const few = limit === null ? published : published.order('is_featured', { ascending: false }).limit(limit)
      const { data } = await few.order('created_at', { ascending: false }).abortSignal(signal).throwOnError()
      return data.map(toArticle)
    },
  })

/** By slug, or by id when a shared link had no slug (§7.55). Null: there is no such article. */
export const articleQuery = (slug: string) =>
  queryOptions({
    queryKey: blogKeys.post(slug),
    queryFn: async ({ signal }): Promise<Article | null> => {
      const supabase = await loadSupabase()
      const { data } = await supabase
        .from('posts')
        .select(columns)
        .eq('is_command_post', false)
        .eq('is_blog_post', true)
        .eq('is_public_blog', true)
        .eq(isUuid(slug) ? 'id' : 'slug', slug)
        .limit(1)
        .abortSignal(signal)
        .throwOnError()
      return data[0] ? toArticle(data[0]) : null
    },
  })

/** §8.33: an author who cannot be loaded is only logged; the article shows 'Anonymous'. */
const authorsQuery = (articles: readonly Article[]) => {
  const ids = [...new Set(articles.map((article) => article.authorId).filter((id) => id !== null))].sort()
  return queryOptions({
    queryKey: blogKeys.authors(ids),
    enabled: ids.length > 0,
    retry: false,
    queryFn: async ({ signal }): Promise<Map<string, Author>> => {
      const supabase = await loadSupabase()
      const { data, error } = await supabase
        .from('profiles')
        .select('id, full_name, avatar_url, position, department')
        .in('id', ids)
        .abortSignal(signal)
      if (error) console.error(`Authors could not be loaded: ${error.message}`)
      return new Map((data ?? []).map((author) => [author.id, author]))
    },
  })
}

/** The author of an article, while the authors load and afterwards. */
export function useAuthors(articles: readonly Article[]): (article: Article) => Author | 'loading' | undefined {
  const { data, isLoading } = useQuery(authorsQuery(articles))
  return ({ authorId }) => (authorId === null ? undefined : isLoading ? 'loading' : data?.get(authorId))
}
