/** New and changed entries of the waitlist, the feedback and the reports, on every page of the admin area. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { sharedKeys } from '@/api/keys'
import { backoffMs, limits } from '@/config/limits'
import { useCoalesced } from '@/lib/live-lists/use-coalesced'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { supabase } from '@/lib/supabase/client'
import type { RetryPolicy } from '@/lib/supabase/keep-subscribed'
import { adminKeys } from './keys'

const policy: RetryPolicy = {
  delayMs: (attempt, reconnects) =>
    attempt >= limits.connectionRetries || reconnects >= limits.connectionReconnects ? null : backoffMs(attempt),
}

/** Which queries a changed row of a table makes stale. */
const staleAfter: Record<'waitlist' | 'feedback' | 'reports', readonly QueryKey[]> = {
  waitlist: [sharedKeys.adminWaitlist, adminKeys.totals, adminKeys.events],
  feedback: [adminKeys.feedback, adminKeys.totals, adminKeys.events],
  reports: [adminKeys.reports, adminKeys.totals, adminKeys.events],
}

/** `adminId`: one channel per admin, since a channel's name is what the server tells subscribers apart by. */
export function useAdminListsLive(adminId: string): void {
  const queryClient = useQueryClient()
  const { changed, refetch } = useMemo(() => {
    const changed = new Set<keyof typeof staleAfter>()
    const refetch = () => {
      const keys = new Set([...changed].flatMap((table) => staleAfter[table]))
      changed.clear()
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
    }
    return { changed, refetch }
  }, [queryClient])
  const refetchSoon = useCoalesced(refetch)
  const open = useCallback(() => {
    const channel = supabase.channel(`admin-lists:${adminId}`)
    for (const table of ['waitlist', 'feedback', 'reports'] as const) {
      channel.on('postgres_changes', { event: '*', schema: 'public', table }, () => {
        changed.add(table)
        refetchSoon()
      })
    }
    return channel
  }, [adminId, changed, refetchSoon])
  useLiveRows({ open, policy, queryKey: adminKeys.totals })
}
