/** A page of the feedback, and the answers to one. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fresh } from '@/features/admin-shared/api/queries'
import { containing } from '@/features/admin-shared/containing'
import { pageSize } from '@/features/admin-shared/model'
import { supabase } from '@/lib/supabase/client'
import { feedbackKeys } from './keys'

export interface FeedbackView {
  search: string
  status: string
  category: string
  page: number
}

const columns = 'id, user_id, email, name, category, content, status, created_at'

export const feedbackQuery = (view: FeedbackView) =>
  queryOptions({
    queryKey: feedbackKeys.page(view),
    ...fresh,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { search, status, category, page } = view
      let rows = supabase.from('feedback').select(columns, { count: 'exact' })
      if (status) rows = rows.eq('status', status)
      if (category) rows = rows.eq('category', category)
      if (search) {
        const like = containing(search)
        rows = rows.or(`content.ilike.${like},email.ilike.${like},name.ilike.${like}`)
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

export type Feedback = Awaited<ReturnType<NonNullable<ReturnType<typeof feedbackQuery>['queryFn']>>>['rows'][number]

export async function fetchFeedback(id: string, signal: AbortSignal): Promise<Feedback | null> {
  const { data } = await supabase
    .from('feedback')
    .select(columns)
    .eq('id', id)
    .abortSignal(signal)
    .maybeSingle()
    .throwOnError()
  return data
}

/** What admins answered, oldest first. */
export const answersQuery = (id: string) =>
  queryOptions({
    queryKey: feedbackKeys.answers(id),
    ...fresh,
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('feedback_answers')
        .select('id, content, created_at, admin:profiles(full_name, email)')
        .eq('feedback_id', id)
        .order('created_at')
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
