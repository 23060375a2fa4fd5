/** When the member posted or commented recently. */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'

export const activityWeeks = 8
const most = 1_000

/** The member's lesson that most others will use; null without any. */
export const mostUsedQuery = (memberId: string) =>
  queryOptions({
    queryKey: ['dashboard', 'most-used', memberId],
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('posts')
        .select('id, title, content, use_count')
        .eq('user_id', memberId)
        .eq('kind', 'lesson')
        .eq('is_blog_post', false)
        .gt('use_count', 0)
        .order('use_count', { ascending: false })
        .order('created_at', { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })

/** The member's post with the most reactions; null without any. */
export const mostUsefulQuery = (memberId: string) =>
  queryOptions({
    queryKey: ['dashboard', 'most-useful', memberId],
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('posts')
        .select('id, title, content, reaction_count')
        .eq('user_id', memberId)
        .eq('is_blog_post', false)
        .gt('reaction_count', 0)
        .order('reaction_count', { ascending: false })
        .order('created_at', { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })

export const activityQuery = (memberId: string) =>
  queryOptions({
    queryKey: ['dashboard', 'activity', memberId],
    queryFn: async ({ signal }) => {
      const since = new Date(Date.now() - activityWeeks * 7 * 86_400_000).toISOString()
      const written = (table: 'posts' | 'comments') =>
        supabase
          .from(table)
          .select('created_at')
          .eq('user_id', memberId)
          .gte('created_at', since)
          .limit(most)
          .abortSignal(signal)
          .throwOnError()
      const [posts, comments] = await Promise.all([written('posts'), written('comments')])
      return [...posts.data, ...comments.data].map(({ created_at }) => created_at)
    },
  })
