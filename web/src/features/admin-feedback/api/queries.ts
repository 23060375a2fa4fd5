/** A page of the feedback. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fresh } from '@/features/admin-shared/api/queries'
import { pageSize } from '@/features/admin-shared/model'
import { supabase } from '@/lib/supabase/client'
import { feedbackKeys } from './keys'

export const feedbackQuery = (status: string, category: string, page: number) =>
  queryOptions({
    queryKey: feedbackKeys.page(status, category, page),
    ...fresh,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      let rows = supabase
        .from('feedback')
        .select('id, user_id, email, name, category, content, status, created_at', { count: 'exact' })
      if (status) rows = rows.eq('status', status)
      if (category) rows = rows.eq('category', category)
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

export type Feedback = Awaited<ReturnType<NonNullable<ReturnType<typeof feedbackQuery>['queryFn']>>>['rows'][number]
