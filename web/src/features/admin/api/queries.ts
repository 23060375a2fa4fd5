/** What the admin area asks. Everything here is refused by the database to anybody but admins. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { askIsAdmin } from '@/api/profiles/queries'
import { type Cursor, nextCursor, olderThan, ownCursor, pageOf } from '@/lib/live-lists/keyset'
import { supabase } from '@/lib/supabase/client'
import { isUuid } from '@/lib/format/uuid'
import { type MembersView, pageSize, type WaitlistView } from '../model'
import { adminKeys } from './keys'

/** §6.4-5: who enters waits for an answer of their own, never for what a menu learnt before. */
export const adminCheckQuery = (memberId: string | undefined) =>
  queryOptions({
    queryKey: adminKeys.check(memberId ?? ''),
    enabled: Boolean(memberId),
    staleTime: 0,
    gcTime: 0,
    retry: 1,
    queryFn: ({ signal }) => askIsAdmin(memberId ?? '', signal),
  })

const fresh = { staleTime: 30_000 } as const

export const totalsQuery = queryOptions({
  queryKey: adminKeys.totals,
  ...fresh,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('admin_totals').abortSignal(signal).throwOnError()
    return data[0] ?? null
  },
})

const waitlistArguments = (view: WaitlistView) => ({
  search: view.search,
  standing: view.standing,
  kind: view.kind,
  years: view.years,
  oldest_first: view.oldestFirst,
})

export const waitlistQuery = (view: WaitlistView) =>
  queryOptions({
    queryKey: adminKeys.waitlistPage(view),
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

export const waitlistCountsQuery = queryOptions({
  queryKey: adminKeys.waitlistCounts,
  ...fresh,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('admin_waitlist_counts').abortSignal(signal).throwOnError()
    return new Map(data.map(({ status, entries }) => [status, entries]))
  },
})

/** Every entry that the filters let through, a thousand at a time: oldest first, for who joins meanwhile comes last. */
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

export const membersQuery = (view: MembersView) =>
  queryOptions({
    queryKey: adminKeys.membersPage(view),
    ...fresh,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { search, standing, sort, descending, page } = view
      const { data } = await supabase
        .rpc('admin_members', {
          search,
          standing,
          sort,
          descending,
          page_size: pageSize,
          page_offset: (page - 1) * pageSize,
        })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type Member = Awaited<ReturnType<NonNullable<ReturnType<typeof membersQuery>['queryFn']>>>[number]

export const memberFiguresQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.memberFigures(id),
    ...fresh,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('admin_member_figures', { uid: id }).abortSignal(signal).throwOnError()
      return data[0] ?? null
    },
  })

const actsPage = 20

/** The audit log, of one member, of one area or of everything, newest first. */
export const actsQuery = (memberId: string | null, area: string) =>
  infiniteQueryOptions({
    queryKey: adminKeys.acts(memberId, area),
    staleTime: 0,
    initialPageParam: undefined as Cursor | undefined,
    queryFn: async ({ signal, pageParam }) => {
      let rows = supabase
        .from('admin_acts')
        .select('id, act, area, actor_email, member_email, subject, detail, created_at')
      if (memberId) rows = rows.eq('member_id', memberId)
      if (area) rows = rows.eq('area', area)
      if (pageParam) rows = rows.or(olderThan(pageParam))
      const { data } = await rows
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(actsPage)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
    getNextPageParam: (page) => nextCursor([pageOf(page, actsPage)], ownCursor),
  })

export type Act = Awaited<ReturnType<NonNullable<ReturnType<typeof actsQuery>['queryFn']>>>[number]

export const figuresQuery = (weeks: number) =>
  queryOptions({
    queryKey: adminKeys.figures(weeks),
    ...fresh,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('admin_figures', { weeks }).abortSignal(signal).throwOnError()
      return data
    },
  })

export const memberTypesQuery = queryOptions({
  queryKey: adminKeys.types,
  ...fresh,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('admin_member_types').abortSignal(signal).throwOnError()
    return data
  },
})

export const quizFiguresQuery = queryOptions({
  queryKey: adminKeys.quiz,
  ...fresh,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('admin_quiz_figures').abortSignal(signal).throwOnError()
    return data
  },
})

export const feedbackQuery = (status: string, category: string, page: number) =>
  queryOptions({
    queryKey: adminKeys.feedbackPage(status, category, page),
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
      if (answer.error?.code === 'PGRST103') return { rows: [], total: 0 } // a page behind the last one
      if (answer.error) throw answer.error
      return { rows: answer.data, total: answer.count ?? answer.data.length }
    },
  })

export type Feedback = Awaited<ReturnType<NonNullable<ReturnType<typeof feedbackQuery>['queryFn']>>>['rows'][number]

/** Articles, drafts among them, without their text. */
export const articlesQuery = queryOptions({
  queryKey: adminKeys.articles,
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const { data } = await supabase
      .from('posts')
      .select('id, title, slug, category, is_public_blog, is_featured, created_at, updated_at')
      .eq('is_blog_post', true)
      .order('created_at', { ascending: false })
      .limit(500)
      .abortSignal(signal)
      .throwOnError()
    return data
  },
})

/** One article to edit, asked anew each time. */
export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: [...adminKeys.articles, id] as const,
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      if (!isUuid(id)) return null
      const { data } = await supabase
        .from('posts')
        .select(
          'id, title, slug, summary, category, tags, featured_image, content, is_public_blog, is_featured, updated_at',
        )
        .eq('id', id)
        .eq('is_blog_post', true)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })

export type Article = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof articleQuery>['queryFn']>>>>
