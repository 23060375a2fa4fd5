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

export type WaitlistEntry = Awaited<ReturnType<NonNullable<ReturnType<typeof waitlistQuery>['queryFn']>>>[number]

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
