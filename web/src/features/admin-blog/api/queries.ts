/** The articles for their editors, drafts included. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { containing } from '@/features/admin-shared/containing'
import { pageSize } from '@/features/admin-shared/model'
import { supabase } from '@/lib/supabase/client'
import { isUuid } from '@/lib/format/uuid'
import type { ArticlesView } from '../model'
import { articleKeys } from './keys'

/** A page of the articles, drafts included, without their content: newest first. */
export const articlesQuery = ({ search, status, page }: ArticlesView) =>
  queryOptions({
    queryKey: articleKeys.page({ search, status, page }),
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      let rows = supabase
        .from('posts')
        .select(
          `id, title, slug, category, featured_image, is_public_blog, is_featured, published_at, updated_at,
          author:profiles!posts_user_id_fkey(full_name)`,
          { count: 'exact' },
        )
        .eq('is_blog_post', true)
      if (status) rows = rows.eq('is_public_blog', status === 'published')
      if (search) {
        const like = containing(search)
        rows = rows.or(`title.ilike.${like},slug.ilike.${like},category.ilike.${like}`)
      }
      const answer = await rows
        .order('created_at', { ascending: false })
        .order('id')
        .range((page - 1) * pageSize, page * pageSize - 1)
        .abortSignal(signal)
      if (answer.error?.code === 'PGRST103') return { rows: [], total: 0 } // a page beyond the last one
      if (answer.error) throw answer.error
      return { rows: answer.data, total: answer.count ?? answer.data.length }
    },
  })

const mostCategories = 200

/** The categories in use, for suggestions. */
export const categoriesQuery = queryOptions({
  queryKey: articleKeys.categories,
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const { data } = await supabase
      .from('posts')
      .select('category')
      .eq('is_blog_post', true)
      .order('created_at', { ascending: false })
      .limit(mostCategories)
      .abortSignal(signal)
      .throwOnError()
    return [...new Set(data.map(({ category }) => category))].sort()
  },
})

/** One article to edit, always refetched. */
export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: articleKeys.article(id),
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      if (!isUuid(id)) return null
      const { data } = await supabase
        .from('posts')
        .select(
          'id, title, slug, summary, category, tags, featured_image, content, is_public_blog, is_featured, updated_at',
        )
        .eq('id', id)
        .eq('is_blog_post', true)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })

export type Article = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof articleQuery>['queryFn']>>>>
