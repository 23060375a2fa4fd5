/** Queries of the member administration, besides its list. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { fresh } from '@/features/admin-shared/api/queries'
import { containing } from '@/features/admin-shared/containing'
import { type Cursor, nextCursor, olderThan, ownCursor, pageOf } from '@/lib/live-lists/keyset'
import { supabase } from '@/lib/supabase/client'
import { memberKeys } from './keys'

export const memberFiguresQuery = (id: string) =>
  queryOptions({
    queryKey: memberKeys.figures(id),
    ...fresh,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('admin_member_stats', { uid: id }).abortSignal(signal).throwOnError()
      return data[0] ?? null
    },
  })

const auditLogPage = 20

/** What the audit log is narrowed to; empty: everything. */
export interface AuditFilter {
  memberId?: string | null
  area?: string
  /** Part of an address or of the name of what was changed. */
  search?: string
}

function auditRows({ memberId, area, search }: AuditFilter, before: Cursor | undefined, most: number) {
  let rows = supabase
    .from('admin_audit_log')
    .select('id, action, area, actor_email, member_email, subject, detail, created_at')
  if (memberId) rows = rows.eq('member_id', memberId)
  if (area) rows = rows.eq('area', area)
  if (search) {
    const like = containing(search)
    rows = rows.or(`actor_email.ilike.${like},member_email.ilike.${like},subject.ilike.${like},detail.ilike.${like}`)
  }
  if (before) rows = rows.or(olderThan(before))
  return rows.order('created_at', { ascending: false }).order('id', { ascending: false }).limit(most)
}

/** The audit log, newest first. */
export const auditLogQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: memberKeys.auditLog(filter),
    staleTime: 0,
    initialPageParam: undefined as Cursor | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const { data } = await auditRows(filter, pageParam, auditLogPage).abortSignal(signal).throwOnError()
      return data
    },
    getNextPageParam: (page) => nextCursor([pageOf(page, auditLogPage)], ownCursor),
  })

const exportPage = 1_000
const exportPages = 20

/** Every matching entry for a file, newest first; the newest 20,000. */
export async function readAuditLog(filter: AuditFilter): Promise<AuditEntry[]> {
  const all: AuditEntry[] = []
  for (let page = 0; page < exportPages; page += 1) {
    const last = all.at(-1)
    const { data } = await auditRows(filter, last && ownCursor(last), exportPage).throwOnError()
    all.push(...data)
    if (data.length < exportPage) break
  }
  return all
}

export type AuditEntry = Awaited<ReturnType<NonNullable<ReturnType<typeof auditLogQuery>['queryFn']>>>[number]
