/** What is found: posts, lessons and articles by page, the numbers of each, a few of each while one types. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { foundTrainingColumns } from '@/api/trainings/model'
import { supabase } from '@/lib/supabase/client'
import type { PostTab, Sort } from '../model'

const all = ['search'] as const
const pageSize = 20
const few = 3

async function foundPosts(
  term: string,
  area: PostTab,
  sort: Sort,
  size: number,
  after: FoundPost | null,
  signal: AbortSignal,
) {
  const { data } = await supabase
    .rpc('search_posts', {
      term,
      area,
      sort,
      page_size: size,
      ...(after ? { after_rank: after.rank, before_at: after.created_at, before_id: after.id } : {}),
    })
    .abortSignal(signal)
    .throwOnError()
  return data as FoundPost[]
}

/** As the database gives it; the generated type has no nulls in the columns of functions. */
export interface FoundPost {
  id: string
  kind: string
  slug: string | null
  title: string | null
  excerpt: string
  created_at: string
  author_id: string | null
  author_name: string | null
  rank: number
}

export const postsQuery = (term: string, area: PostTab, sort: Sort) =>
  infiniteQueryOptions({
    queryKey: [...all, 'posts', term, area, sort],
    initialPageParam: null as FoundPost | null,
    queryFn: ({ pageParam, signal }) => foundPosts(term, area, sort, pageSize, pageParam, signal),
    getNextPageParam: (page) => (page.length === pageSize ? (page.at(-1) ?? null) : null),
  })

export const countsQuery = (term: string) =>
  queryOptions({
    queryKey: [...all, 'counts', term],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('search_counts', { term }).abortSignal(signal).throwOnError()
      return new Map(data.map(({ area, matches }) => [area, matches]))
    },
  })

export const foundTrainings = async (term: string, most: number, signal: AbortSignal) => {
  const { data } = await supabase
    .rpc('search_trainings', { term, max_results: most })
    .select(foundTrainingColumns)
    .abortSignal(signal)
    .throwOnError()
  return data
}

/** Coming ones, the soonest first; at most 50. */
export const trainingsQuery = (term: string) =>
  queryOptions({
    queryKey: [...all, 'trainings', term],
    queryFn: ({ signal }) => foundTrainings(term, 50, signal),
  })

/** The best of each kind, for the panel below the field. */
export const fewQuery = (term: string) =>
  queryOptions({
    queryKey: [...all, 'few', term],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const areas = ['posts', 'lessons', 'articles'] as const
      const [people, trainings, ...posts] = await Promise.all([
        supabase.rpc('search_profiles', { term, max_results: few }).abortSignal(signal).throwOnError(),
        foundTrainings(term, few, signal),
        ...areas.map((area) => foundPosts(term, area, 'best', few, null, signal)),
      ])
      return { people: people.data, trainings, posts: areas.map((area, at) => ({ area, rows: posts[at] ?? [] })) }
    },
  })
