/** Queries of the member administration, besides its list. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { fresh } from '@/features/admin-shared/api/queries'
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

/** The audit log of one member, one area or everything, newest first. */
export const auditLogQuery = (memberId: string | null, area: string) =>
  infiniteQueryOptions({
    queryKey: memberKeys.auditLog(memberId, area),
    staleTime: 0,
    initialPageParam: undefined as Cursor | undefined,
    queryFn: async ({ signal, pageParam }) => {
      let rows = supabase
        .from('admin_audit_log')
        .select('id, action, area, actor_email, member_email, subject, detail, created_at')
      if (memberId) rows = rows.eq('member_id', memberId)
      if (area) rows = rows.eq('area', area)
      if (pageParam) rows = rows.or(olderThan(pageParam))
      const { data } = await rows
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(auditLogPage)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
    getNextPageParam: (page) => nextCursor([pageOf(page, auditLogPage)], ownCursor),
  })

export type AuditEntry = Awaited<ReturnType<NonNullable<ReturnType<typeof auditLogQuery>['queryFn']>>>[number]
