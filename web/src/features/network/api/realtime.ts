/** Live changes of one's connections, on either side (§4.39, §4.41, §7.53). They only touch the cache. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { networkKeys } from '@/api/connections/keys'
import { coalesce } from '@/lib/coalesce'
import { keepSubscribed } from '@/lib/realtime-retry'
import { supabase } from '@/lib/supabase'
import { useRevival } from '@/lib/use-revival'
import { connectionsPolicy } from './policy'

export function useConnectionsLive(memberId: string): void {
  const queryClient = useQueryClient()
  const { round, giveUp } = useRevival()
  useEffect(() => {
    const refresh = coalesce(() => void queryClient.invalidateQueries({ queryKey: networkKeys.all }))
    const table = { event: '*', schema: 'public', table: 'connections' } as const
    const end = keepSubscribed({
      open: () =>
        supabase
          .channel(`connections:${memberId}`)
          .on('postgres_changes', { ...table, filter: `user_id=eq.${memberId}` }, refresh)
          .on('postgres_changes', { ...table, filter: `connected_user_id=eq.${memberId}` }, refresh),
      close: (channel) => supabase.removeChannel(channel),
      policy: connectionsPolicy,
      onGiveUp: giveUp,
      onLive: refresh,
    })
    return () => {
      refresh.cancel()
      end()
    }
  }, [memberId, queryClient, round, giveUp])
}
