/** The directory: members who match the filters, 24 at a time, and how many each value would give (§11.6). */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'
import { countsOf, type Filters } from '../directory'

const pageSize = 24
const freshMs = 30_000 // others change their profiles

/** As the database gives it; the generated type has no nulls in the columns of functions. */
export interface Listed {
  id: string
  full_name: string
  avatar_url: string | null
  department: string | null
  rank: string | null
  state: string | null
  /** 0: of the member's own state, 1: of a neighboring one, 2: of another, or unknown. */
  nearness: number
}

const all = ['directory'] as const

export const directoryQuery = (memberId: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: [...all, memberId, 'page', filters],
    staleTime: freshMs,
    initialPageParam: null as Listed | null,
    queryFn: async ({ pageParam: last, signal }): Promise<Listed[]> => {
      const after = last && { after_nearness: last.nearness, after_name: last.full_name, after_id: last.id }
      const { data } = await supabase
        .rpc('directory', { filters, page_size: pageSize, ...after })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
    getNextPageParam: (page) => (page.length === pageSize ? (page.at(-1) ?? null) : null),
  })

export const directoryCountsQuery = (memberId: string, filters: Filters) =>
  queryOptions({
    queryKey: [...all, memberId, 'counts', filters],
    staleTime: freshMs,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('directory_counts', { filters }).abortSignal(signal).throwOnError()
      return countsOf(data)
    },
  })
