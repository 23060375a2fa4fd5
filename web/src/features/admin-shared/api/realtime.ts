/** New and changed entries of the waitlist, the feedback, the reports, the appeals, the members and the audit log. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { sharedKeys } from '@/api/keys'
import { useCoalesced } from '@/lib/live-lists/use-coalesced'
import { bounded } from '@/lib/live-lists/retry-policies'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { supabase } from '@/lib/supabase/client'
import { adminKeys } from './keys'

type LiveList = 'waitlist' | 'feedback' | 'reports' | 'members' | 'audit' | 'appeals'

/** Which queries a changed list makes stale. */
const staleAfter: Record<LiveList, readonly QueryKey[]> = {
  waitlist: [sharedKeys.adminWaitlist, adminKeys.totals, adminKeys.events],
  feedback: [adminKeys.feedback, adminKeys.totals, adminKeys.events],
  reports: [adminKeys.reports, adminKeys.totals, adminKeys.events],
  members: [adminKeys.members, adminKeys.totals, adminKeys.events],
  audit: [adminKeys.auditLog],
  appeals: [adminKeys.reports],
}

/** These are no live tables: a broadcast says that they changed. */
const announced = ['members', 'audit', 'appeals'] as const

/** `adminId`: one channel per admin, since a channel's name is what the server tells subscribers apart by. */
export function useAdminListsLive(adminId: string): void {
  const queryClient = useQueryClient()
  const { changed, refetch } = useMemo(() => {
    const changed = new Set<LiveList>()
    const refetch = () => {
      const keys = new Set([...changed].flatMap((list) => staleAfter[list]))
      changed.clear()
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
    }
    return { changed, refetch }
  }, [queryClient])
  const refetchSoon = useCoalesced(refetch)
  const openTables = useCallback(() => {
    const channel = supabase.channel(`admin-lists:${adminId}`)
    for (const table of ['waitlist', 'feedback', 'reports'] as const) {
      channel.on('postgres_changes', { event: '*', schema: 'public', table }, () => {
        changed.add(table)
        refetchSoon()
      })
    }
    return channel
  }, [adminId, changed, refetchSoon])
  const openAnnounced = useCallback(() => {
    const channel = supabase.channel('admin', { config: { private: true } })
    for (const list of announced) {
      channel.on('broadcast', { event: list }, () => {
        changed.add(list)
        refetchSoon()
      })
    }
    return channel
  }, [changed, refetchSoon])
  useLiveRows({ open: openTables, policy: bounded, queryKey: adminKeys.all })
  useLiveRows({ open: openAnnounced, policy: bounded, confirmedBy: 'join', queryKey: adminKeys.all })
}
