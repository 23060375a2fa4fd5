/** The blog's queries: public articles by page, topic and words, one article, and authors (§7.12, §7.35-37). */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useQuery,
} from '@tanstack/react-query'
import { limits } from '@/config/limits'
import { isUuid } from '@/lib/format/uuid'
import type { Supabase } from '@/lib/supabase/client-loaded'
import { loadSupabase } from '@/lib/supabase/load-client'
import { type Article, type Author, toArticle, toListed } from '../model'
import { servedArticle, servedAt, servedAuthors, servedList, servedTopics } from '../served'
import { blogKeys } from './keys'

const columns = 'id, user_id, title, summary, content, category, featured_image, slug, tags, created_at'

/** §7.36. */
const published = (supabase: Supabase) =>
  supabase
    .from('posts')
    .select(columns, { count: 'exact' })
    .eq('is_command_post', false)
    .eq('is_blog_post', true)
    .eq('is_public_blog', true)

/** The articles of the landing page: featured ones first (§7.37). */
export const featuredQuery = (limit: number) =>
  queryOptions({
    queryKey: blogKeys.featured(limit),
    queryFn: async ({ signal }): Promise<Article[]> => {
      const supabase = await loadSupabase()
      const { data } = await supabase
        .from('posts')
        .select(columns)
        .eq('is_command_post', false)
        .eq('is_blog_post', true)
        .eq('is_public_blog', true)
        .order('is_featured', { ascending: false })
        .order('created_at', { ascending: false })
        .limit(limit)
        .abortSignal(signal)
        .throwOnError()
      return data.map(toArticle)
    },
  })

interface ArticlesPage {
  articles: Article[]
  /** Of all pages. */
  total: number
}

/** Newest first, a page at a time; of one topic, or of all. */
export const articlesQuery = (topic: string | null = null) =>
  infiniteQueryOptions({
    queryKey: blogKeys.list(topic),
    initialData: () => {
      const first = topic === null ? servedList() : undefined
      return first && { pages: [first], pageParams: [0] }
    },
    initialDataUpdatedAt: servedAt,
    queryFn: async ({ signal, pageParam }): Promise<ArticlesPage> => {
      const all = published(await loadSupabase())
      const { data, count } = await (topic === null ? all : all.eq('category', topic))
        .order('created_at', { ascending: false })
        .range(pageParam, pageParam + limits.articlesPerPage - 1)
        .abortSignal(signal)
        .throwOnError()
      return { articles: data.map(toArticle), total: count ?? data.length }
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.articles.length, 0)
      return loaded < last.total && last.articles.length > 0 ? loaded : undefined
    },
  })

/** The articles with these words, best match first. */
export const foundQuery = (term: string) =>
  queryOptions({
    queryKey: blogKeys.found(term),
    queryFn: async ({ signal }): Promise<Article[]> => {
      const supabase = await loadSupabase()
      const { data } = await supabase
        .rpc('search_articles', { term })
        .select(columns)
        .abortSignal(signal)
        .throwOnError()
      return data.map(toArticle)
    },
  })

/** The articles to read after one, those that share most with it first; without their whole texts. */
export const relatedQuery = (articleId: string) =>
  queryOptions({
    queryKey: blogKeys.related(articleId),
    queryFn: async ({ signal }): Promise<Article[]> => {
      const supabase = await loadSupabase()
      const { data } = await supabase.rpc('related_articles', { article: articleId }).abortSignal(signal).throwOnError()
      return data.map(toListed)
    },
  })

/** The topics of the blog, those with most articles first. */
export const topicsQuery = queryOptions({
  queryKey: blogKeys.topics(),
  initialData: servedTopics,
  initialDataUpdatedAt: servedAt,
  queryFn: async ({ signal }): Promise<string[]> => {
    const supabase = await loadSupabase()
    const { data } = await supabase.rpc('article_topics').abortSignal(signal).throwOnError()
    return data.map(({ category }) => category)
  },
})

/** By slug, or by id when a shared link had no slug (§7.55). Null: there is no such article. */
export const articleQuery = (slug: string) =>
  queryOptions({
    queryKey: blogKeys.post(slug),
    initialData: () => servedArticle(slug),
    initialDataUpdatedAt: servedAt,
    queryFn: async ({ signal }): Promise<Article | null> => {
      const { data } = await published(await loadSupabase())
        .eq(isUuid(slug) ? 'id' : 'slug', slug)
        .limit(1)
        .abortSignal(signal)
        .throwOnError()
      return data[0] ? toArticle(data[0]) : null
    },
  })

/** An article of a list that was loaded with its text before: it needs not be waited for. */
export function listedArticle(client: QueryClient, slug: string): Article | undefined {
  const lists = client.getQueriesData<InfiniteData<ArticlesPage>>({ queryKey: blogKeys.lists() })
  return lists
    .flatMap(([, list]) => list?.pages ?? [])
    .flatMap((page) => page.articles)
    .find((one) => one.slug === slug && one.content !== '')
}

/** §8.33: an author who cannot be loaded is only logged; the article shows 'Anonymous'. */
const authorsQuery = (articles: readonly Article[]) => {
  const ids = [...new Set(articles.map((article) => article.authorId).filter((id) => id !== null))].sort()
  return queryOptions({
    queryKey: blogKeys.authors(ids),
    enabled: ids.length > 0,
    retry: false,
    initialData: () => servedAuthors(ids),
    initialDataUpdatedAt: servedAt,
    queryFn: async ({ signal }): Promise<Map<string, Author>> => {
      const supabase = await loadSupabase()
      const { data, error } = await supabase
        .from('profiles')
        .select('id, full_name, avatar_url, position, department')
        .in('id', ids)
        .abortSignal(signal)
      signal.throwIfAborted() // the list has other authors by now: no failure
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
