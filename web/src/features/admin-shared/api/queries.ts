/** Queries shared by several parts of the admin area. The database rejects all of them for non-admins. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchIsAdmin } from '@/api/profiles/queries'
import { supabase } from '@/lib/supabase/client'
import { pageSize } from '../model'
import { adminKeys } from './keys'

/** How long product-wide aggregates stay fresh. */
export const fresh = { staleTime: 30_000 } as const

/** §6.4-5: the guard always waits for a fresh answer, never for one cached by the menu. */
export const adminCheckQuery = (memberId: string | undefined) =>
  queryOptions({
    queryKey: adminKeys.check(memberId ?? ''),
    enabled: Boolean(memberId),
    staleTime: 0,
    gcTime: 0,
    retry: 1,
    queryFn: ({ signal }) => fetchIsAdmin(memberId ?? '', signal),
  })

const waysIn = ['none', 'open', 'no_factor', 'second_factor'] as const

/** Looked at again while the area is open: a factor counts for 12 hours (§15.3). */
export const adminAccessQuery = queryOptions({
  queryKey: adminKeys.access,
  staleTime: 0,
  refetchInterval: 60_000,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('admin_access').abortSignal(signal).throwOnError()
    return waysIn.find((way) => way === data) ?? 'none'
  },
})

export const totalsQuery = queryOptions({
  queryKey: adminKeys.totals,
  ...fresh,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('admin_totals').abortSignal(signal).throwOnError()
    return data[0] ?? null
  },
})

export const waitlistCountsQuery = queryOptions({
  queryKey: adminKeys.waitlistCounts,
  ...fresh,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('admin_waitlist_counts').abortSignal(signal).throwOnError()
    return new Map(data.map(({ status, entries }) => [status, entries]))
  },
})

export interface MembersView {
  search: string
  standing: string
  /** A type of firefighter; empty: any. */
  kind: string
  sort: string
  descending: boolean
  page: number
}

export const membersQuery = (view: MembersView) =>
  queryOptions({
    queryKey: adminKeys.membersPage(view),
    ...fresh,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { page, ...filters } = view
      const { data } = await supabase
        .rpc('admin_members', { ...filters, page_size: pageSize, page_offset: (page - 1) * pageSize })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type Member = Awaited<ReturnType<NonNullable<ReturnType<typeof membersQuery>['queryFn']>>>[number]

const exportPage = 1_000
const exportPages = 100

/** Every member that matches, for a file: 100,000 at most. */
export async function readMembers({ page: _page, ...filters }: MembersView): Promise<Member[]> {
  const all: Member[] = []
  for (let page = 0; page < exportPages; page += 1) {
    const { data } = await supabase
      .rpc('admin_members', { ...filters, page_size: exportPage, page_offset: page * exportPage })
      .throwOnError()
    all.push(...data)
    if (data.length < exportPage) break
  }
  return all
}
