/** Live changes of one's connections, on either side (§4.39, §4.41, §7.53). They only touch the cache. */
import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followConnections } from '@/api/connections/cache'
import { networkKeys } from '@/api/connections/keys'
import { coalesce } from '@/lib/live-lists/coalesce'
import { gates } from '@/lib/live-lists/live-gate'
import { logError } from '@/lib/browser/log'
import { catchUp } from '@/lib/live-lists/long-lists'
import { keepSubscribed } from '@/lib/supabase/keep-subscribed'
import { supabase } from '@/lib/supabase/client'
import { useReconnect } from '@/lib/live-lists/use-reconnect'
import { connectionsPolicy } from './policy'

export function useConnectionsLive(memberId: string): void {
  const queryClient = useQueryClient()
  const { round, giveUp } = useReconnect()
  useEffect(() => {
    const changed = new Set<string>()
    const refresh = coalesce(() => {
      const ids = [...changed]
      changed.clear()
      followConnections(queryClient, memberId, ids).catch((cause: unknown) => {
        logError('A changed connection could not be read', cause)
        catchUp(queryClient, networkKeys.all)
      })
    })
    const follow = (payload: RealtimePostgresChangesPayload<{ id: string }>) => {
      const { id } = payload.eventType === 'DELETE' ? payload.old : payload.new
      if (id) changed.add(id)
      refresh()
    }
    const table = { event: '*', schema: 'public', table: 'connections' } as const
    const end = keepSubscribed({
      open: () =>
        supabase
          .channel(`connections:${memberId}`)
          .on<{ id: string }>('postgres_changes', { ...table, filter: `user_id=eq.${memberId}` }, follow)
          .on<{ id: string }>('postgres_changes', { ...table, filter: `connected_user_id=eq.${memberId}` }, follow),
      close: (channel) => supabase.removeChannel(channel),
      policy: connectionsPolicy,
      onGiveUp: giveUp,
      onLive: () => {
        gates.opened('connections')
        catchUp(queryClient, networkKeys.all)
      },
    })
    return () => {
      gates.closed('connections')
      refresh.cancel()
      end()
    }
  }, [memberId, queryClient, round, giveUp])
}
