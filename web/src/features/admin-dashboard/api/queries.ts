/** The dashboard's own queries: aggregates, computed by the database. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fresh } from '@/features/admin-shared/api/queries'
import { supabase } from '@/lib/supabase/client'
import { dashboardKeys } from './keys'

export const figuresQuery = (weeks: number) =>
  queryOptions({
    queryKey: dashboardKeys.figures(weeks),
    ...fresh,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('admin_stats', { weeks }).abortSignal(signal).throwOnError()
      return data
    },
  })

export const memberTypesQuery = queryOptions({
  queryKey: dashboardKeys.types,
  ...fresh,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('admin_member_types').abortSignal(signal).throwOnError()
    return data
  },
})

export const quizFiguresQuery = queryOptions({
  queryKey: dashboardKeys.quiz,
  ...fresh,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('admin_quiz_stats').abortSignal(signal).throwOnError()
    return data
  },
})
