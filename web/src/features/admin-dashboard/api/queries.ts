/** The dashboard's own queries: aggregates, computed by the database. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { adminKeys } from '@/features/admin-shared/api/keys'
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

/** New members and articles come with the next reading: only the other tables are followed. */
const membersEveryMs = 30_000
const recentEvents = 8

const eventKinds = ['waitlist', 'member', 'report', 'feedback', 'article'] as const

/** Something that happened just now. */
export interface RecentEvent {
  kind: (typeof eventKinds)[number]
  id: string
  happenedAt: string
  memberId: string | null
  name: string | null
  avatarUrl: string | null
  subject: string | null
  detail: string | null
}

export const recentEventsQuery = queryOptions({
  queryKey: adminKeys.events,
  ...fresh,
  refetchInterval: membersEveryMs,
  queryFn: async ({ signal }): Promise<RecentEvent[]> => {
    const { data } = await supabase
      .rpc('admin_recent_events', { most: recentEvents })
      .abortSignal(signal)
      .throwOnError()
    return data.flatMap(({ kind, happened_at, member_id, avatar_url, ...event }) => {
      const known = eventKinds.find((one) => one === kind)
      return known
        ? [{ ...event, kind: known, happenedAt: happened_at, memberId: member_id, avatarUrl: avatar_url }]
        : []
    })
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

export interface Job {
  name: string
  schedule: string
  /** Newest first; empty for a job that never ran. */
  runs: { status: string; message: string | null; started_at: string | null; ended_at: string | null }[]
}

/** The scheduled jobs, each with its last five runs (§10.4). */
export const jobRunsQuery = queryOptions({
  queryKey: dashboardKeys.jobs,
  ...fresh,
  queryFn: async ({ signal }): Promise<Job[]> => {
    const { data } = await supabase.rpc('admin_job_runs').abortSignal(signal).throwOnError()
    const jobs = new Map<string, Job>()
    for (const { job: name, schedule, status, ...run } of data) {
      const job = jobs.get(name) ?? { name, schedule, runs: [] }
      // The generated types do not tell that the columns of a job without runs are null.
      if ((status as string | null) !== null) job.runs.push({ status, ...run })
      jobs.set(name, job)
    }
    return [...jobs.values()]
  },
})
