/** When the member posted or commented recently. */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'

export const activityWeeks = 8
const most = 1_000

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
