/** Live changes of the member's connections, on either side (§4.39, §4.41, §7.53). They only update the cache. */
import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { followConnections } from '@/api/connections/cache'
import { connectionKeys } from '@/api/connections/keys'
import { logError } from '@/lib/browser/log'
import { catchUp } from '@/lib/live-lists/long-lists'
import { useCoalesced } from '@/lib/live-lists/use-coalesced'
import { bounded } from '@/lib/live-lists/retry-policies'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { supabase } from '@/lib/supabase/client'

type Row = { id: string }

export function useConnectionsLive(memberId: string): void {
  const queryClient = useQueryClient()
  const { changed, readChanged } = useMemo(() => {
    const changed = new Set<string>()
    const readChanged = () => {
      const ids = [...changed]
      changed.clear()
      followConnections(queryClient, memberId, ids).catch((cause: unknown) => {
        logError('A changed connection could not be read', cause)
        catchUp(queryClient, connectionKeys.all)
      })
    }
    return { changed, readChanged }
  }, [memberId, queryClient])
  const refetchSoon = useCoalesced(readChanged)

  const open = useCallback(() => {
    const onChange = (payload: RealtimePostgresChangesPayload<Row>) => {
      const { id } = payload.eventType === 'DELETE' ? payload.old : payload.new
      if (id) changed.add(id)
      refetchSoon()
    }
    const table = { event: '*', schema: 'public', table: 'connections' } as const
    return supabase
      .channel(`connections:${memberId}`)
      .on<Row>('postgres_changes', { ...table, filter: `user_id=eq.${memberId}` }, onChange)
      .on<Row>('postgres_changes', { ...table, filter: `connected_user_id=eq.${memberId}` }, onChange)
  }, [memberId, changed, refetchSoon])
  useLiveRows({ open, policy: bounded, gate: 'connections', queryKey: connectionKeys.all })
}
