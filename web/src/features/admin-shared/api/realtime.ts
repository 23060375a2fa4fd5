/** New and changed entries of the waitlist, the feedback, the reports, the appeals, the members and the audit log. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { sharedKeys } from '@/api/keys'
import { useCoalesced } from '@/lib/live-lists/use-coalesced'
import { bounded } from '@/lib/live-lists/retry-policies'
import { afterAnswers } from '@/lib/live-lists/long-lists'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { supabase } from '@/lib/supabase/client'
import { adminKeys } from './keys'

const tables = ['waitlist', 'feedback', 'reports'] as const
/** These are no live tables: a broadcast says that they changed. */
const announced = ['members', 'audit', 'appeals'] as const

type LiveList = (typeof tables | typeof announced)[number]

/** Which queries a changed list makes stale. */
const staleAfter: Record<LiveList, readonly QueryKey[]> = {
  waitlist: [sharedKeys.adminWaitlist, adminKeys.totals, adminKeys.events],
  feedback: [adminKeys.feedback, adminKeys.totals, adminKeys.events],
  reports: [adminKeys.reports, adminKeys.totals, adminKeys.events],
  members: [adminKeys.members, adminKeys.totals, adminKeys.events],
  audit: [adminKeys.auditLog],
  appeals: [adminKeys.reports],
}

/** One channel for all, so that what was missed is read again once. */
export function useAdminListsLive(): void {
  const queryClient = useQueryClient()
  const { changed, refetch } = useMemo(() => {
    const changed = new Set<LiveList>()
    const refetch = () => {
      const keys = new Set([...changed].flatMap((list) => staleAfter[list]))
      changed.clear()
      for (const queryKey of keys) {
        const read = () => void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
        afterAnswers(queryClient, queryKey, read)
        read()
      }
    }
    return { changed, refetch }
  }, [queryClient])
  const refetchSoon = useCoalesced(refetch)
  const open = useCallback(() => {
    const channel = supabase.channel('admin', { config: { private: true } })
    const follow = (list: LiveList) => () => {
      changed.add(list)
      refetchSoon()
    }
    for (const table of tables) {
      channel.on('postgres_changes', { event: '*', schema: 'public', table }, follow(table))
    }
    for (const list of announced) channel.on('broadcast', { event: list }, follow(list))
    return channel
  }, [changed, refetchSoon])
  useLiveRows({ open, policy: bounded, queryKey: adminKeys.all })
}
