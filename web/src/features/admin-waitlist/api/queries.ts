/** Queries of the admin waitlist: one page, or everything for an export. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fresh } from '@/features/admin-shared/api/queries'
import { pageSize } from '@/features/admin-shared/model'
import { supabase } from '@/lib/supabase/client'
import type { WaitlistView } from '../model'
import { waitlistKeys } from './keys'

const waitlistArguments = (view: WaitlistView) => ({
  search: view.search,
  standing: view.standing,
  kind: view.kind,
  years: view.years,
  oldest_first: view.oldestFirst,
})

export const waitlistQuery = (view: WaitlistView) =>
  queryOptions({
    queryKey: waitlistKeys.page(view),
    ...fresh,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .rpc('admin_waitlist', {
          ...waitlistArguments(view),
          page_size: pageSize,
          page_offset: (view.page - 1) * pageSize,
        })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

type Row = Awaited<ReturnType<NonNullable<ReturnType<typeof waitlistQuery>['queryFn']>>>[number]
export type WaitlistEntry = Omit<Row, 'total' | 'total_is_more'>

/** One entry with its answers; null: deleted. */
export async function fetchWaitlistEntry(id: string, signal: AbortSignal): Promise<WaitlistEntry | null> {
  const { data } = await supabase
    .from('waitlist')
    .select(
      'id, email, status, created_at, updated_at, quiz:quiz_responses(firefighter_type, firefighter_type_other, current_rank, years_of_service, linkedin_missing)',
    )
    .eq('id', id)
    .abortSignal(signal)
    .maybeSingle()
    .throwOnError()
  if (!data) return null
  const { quiz, ...entry } = data
  return {
    ...entry,
    firefighter_type: quiz?.firefighter_type ?? '',
    firefighter_type_other: quiz?.firefighter_type_other ?? '',
    current_rank: quiz?.current_rank ?? '',
    years_of_service: quiz?.years_of_service ?? '',
    linkedin_missing: quiz?.linkedin_missing ?? '',
  }
}

/** Every entry that matches the filters, a thousand per request: oldest first, so that new entries come last. */
export async function allWaitlist(view: WaitlistView): Promise<WaitlistEntry[]> {
  const found: WaitlistEntry[] = []
  for (;;) {
    const { data } = await supabase
      .rpc('admin_waitlist', {
        ...waitlistArguments({ ...view, oldestFirst: true }),
        page_size: 1000,
        page_offset: found.length,
      })
      .throwOnError()
    found.push(...data)
    if (data.length < 1000) return view.oldestFirst ? found : found.reverse()
  }
}
