/** The articles for their editors, drafts included. */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'
import { isUuid } from '@/lib/format/uuid'
import { articleKeys } from './keys'

/** Articles, drafts included, without their content. */
export const articlesQuery = queryOptions({
  queryKey: articleKeys.all,
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const { data } = await supabase
      .from('posts')
      .select('id, title, slug, category, is_public_blog, is_featured, created_at, updated_at')
      .eq('is_blog_post', true)
      .order('created_at', { ascending: false })
      .limit(500)
      .abortSignal(signal)
      .throwOnError()
    return data
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
