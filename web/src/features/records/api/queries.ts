/** The member's issued records, and the check of anybody's. */
import { queryOptions } from '@tanstack/react-query'
import { loadSupabase } from '@/lib/supabase/load-client'
import { type Check, checkSchema, type Part } from '../model'

export const recordKeys = {
  own: (memberId: string) => ['records', memberId] as const,
  counts: (memberId: string) => ['records', memberId, 'counts'] as const,
  check: (code: string) => ['records', 'check', code] as const,
}

const most = 20

export interface IssuedRecord {
  id: string
  code: string
  document: unknown
  digest: string
  check_count: number
  issued_at: string
}

/** Those that are on, newest first. */
export const recordsQuery = (memberId: string) =>
  queryOptions({
    queryKey: recordKeys.own(memberId),
    queryFn: async ({ signal }): Promise<IssuedRecord[]> => {
      const supabase = await loadSupabase()
      const { data } = await supabase
        .from('issued_records')
        .select('id, code, document, digest, check_count, issued_at')
        .eq('user_id', memberId)
        .is('revoked_at', null)
        .order('issued_at', { ascending: false })
        .limit(most)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** How many entries each part of a record would have now. */
export const partCountsQuery = (memberId: string) =>
  queryOptions({
    queryKey: recordKeys.counts(memberId),
    refetchOnMount: 'always',
    queryFn: async ({ signal }): Promise<Record<Part, number>> => {
      const supabase = await loadSupabase()
      const countOf = (table: 'certifications' | 'career_milestones' | 'awards') =>
        supabase.from(table).select('id', { count: 'exact', head: true }).eq('user_id', memberId).abortSignal(signal)
      const [certifications, numbers, milestones, awards, trainings] = await Promise.all([
        countOf('certifications').throwOnError(),
        countOf('certifications').not('credential_id', 'is', null).throwOnError(),
        countOf('career_milestones').throwOnError(),
        countOf('awards').throwOnError(),
        supabase
          .from('training_attendances')
          .select('training_id, training:trainings!inner()', { count: 'exact', head: true })
          .eq('user_id', memberId)
          .eq('answer', 'going')
          .eq('is_waiting', false)
          .eq('training.is_canceled', false)
          .lte('training.ends_at', new Date().toISOString())
          .abortSignal(signal)
          .throwOnError(),
      ])
      return {
        certifications: certifications.count ?? 0,
        trainings: trainings.count ?? 0,
        career: (milestones.count ?? 0) + (awards.count ?? 0),
        numbers: numbers.count ?? 0,
      }
    },
  })

/** With a document: whether it is the one that was issued. */
export async function checkRecord(code: string, document?: unknown): Promise<Check> {
  const supabase = await loadSupabase()
  const { data } = await supabase
    .rpc('verify_record', document === undefined ? { code } : { code, document: document as never })
    .throwOnError()
  return checkSchema.parse(data)
}

export const checkQuery = (code: string) =>
  queryOptions({
    queryKey: recordKeys.check(code),
    retry: false, // each try is counted
    staleTime: 60_000,
    queryFn: () => checkRecord(code),
  })
