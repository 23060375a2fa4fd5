/** People search (§5.13-18, §7.10-11), and suggested members. */
import { queryOptions } from '@tanstack/react-query'
import { limits } from '@/config/limits'
import { supabase } from '@/lib/supabase/client'
import { matchesTerm, personColumns, searchTerm } from './model'

const peopleKeys = {
  all: ['people'] as const,
  search: (memberId: string, term: string) => [...peopleKeys.all, 'search', memberId, term] as const,
  suggestions: (memberId: string) => [...peopleKeys.all, 'suggestions', memberId] as const,
  shared: (memberId: string, ids: readonly string[]) => [...peopleKeys.all, 'shared', memberId, ids] as const,
  one: (personId: string) => [...peopleKeys.all, 'one', personId] as const,
}

/** §5.18: when the search has no result, up to 50 profiles are filtered on the client. */
async function searchFallback(memberId: string, term: string, signal: AbortSignal) {
  const { data } = await supabase
    .from('profiles')
    .select(`${personColumns}, email`)
    .neq('id', memberId)
    .order('full_name')
    .limit(limits.broadProfiles)
    .abortSignal(signal)
    .throwOnError()
  return data.filter((person) => matchesTerm(person, term)).slice(0, limits.searchResults)
}

export async function searchPeople(memberId: string, term: string, signal: AbortSignal) {
  const { data } = await supabase
    .rpc('search_profiles', { term, max_results: limits.searchResults })
    .select(`${personColumns}, email`)
    .abortSignal(signal)
    .throwOnError()
  return data.length > 0 ? data : searchFallback(memberId, term, signal)
}

export const peopleSearchQuery = (memberId: string, typed: string) => {
  const term = searchTerm(typed)
  return queryOptions({
    queryKey: peopleKeys.search(memberId, term),
    enabled: Array.from(term).length >= limits.searchMinLength,
    queryFn: ({ signal }) => searchPeople(memberId, term, signal),
  })
}

export const suggestionsQuery = (memberId: string) =>
  queryOptions({
    queryKey: peopleKeys.suggestions(memberId),
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .rpc('people_you_may_know', { max_results: 6 })
        .select(personColumns)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** At most so many members are asked for at once. */
const sharedAtOnce = 50

/** How many connections the member shares with each of these, by id; none: missing. Of the first 50. */
export const sharedConnectionsQuery = (memberId: string, all: readonly string[]) => {
  const ids = all.slice(0, sharedAtOnce)
  return queryOptions({
    queryKey: peopleKeys.shared(memberId, ids),
    enabled: ids.length > 0,
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .rpc('shared_connections', { member_ids: [...ids] })
        .abortSignal(signal)
        .throwOnError()
      return Object.fromEntries(data.map(({ member_id, shared }) => [member_id, shared]))
    },
  })
}

/** One member by id; null when privacy hides them. */
export const personQuery = (personId: string) =>
  queryOptions({
    queryKey: peopleKeys.one(personId),
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('profiles')
        .select(personColumns)
        .eq('id', personId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })
