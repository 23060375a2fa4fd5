/** What waits for a decision, and the appeals. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { adminKeys } from '@/features/admin-shared/api/keys'
import { fresh } from '@/features/admin-shared/api/queries'
import { supabase } from '@/lib/supabase/client'

export const reportsQuery = queryOptions({
  queryKey: [...adminKeys.reports, 'queue'],
  ...fresh,
  placeholderData: keepPreviousData,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('admin_reports', { page_size: 50 }).abortSignal(signal).throwOnError()
    return data
  },
})

export const appealsQuery = queryOptions({
  queryKey: [...adminKeys.reports, 'appeals'],
  ...fresh,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('admin_appeals').abortSignal(signal).throwOnError()
    return data
  },
})

type Rows<Options extends { queryFn?: unknown }> =
  NonNullable<Options['queryFn']> extends (...args: never[]) => infer Result ? Awaited<Result> : never
export type Reported = Rows<typeof reportsQuery>[number]
export type Appeal = Rows<typeof appealsQuery>[number]
