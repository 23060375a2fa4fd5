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
