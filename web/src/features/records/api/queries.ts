/** The member's issued records, and the check of anybody's. */
import { queryOptions } from '@tanstack/react-query'
import { loadSupabase } from '@/lib/supabase/load-client'
import { type Check, checkSchema } from '../model'

export const recordKeys = {
  own: (memberId: string) => ['records', memberId] as const,
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
