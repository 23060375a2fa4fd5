/** Keeps the cache in step with a table's row changes, for as long as a page is mounted. */
import type { RealtimeChannel } from '@supabase/supabase-js'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { supabase } from '@/lib/supabase/client'
import { keepSubscribed, type RetryPolicy } from '@/lib/supabase/keep-subscribed'
import { type Followed, gates } from './live-gate'
import { catchUp } from './long-lists'
import { useReconnect } from './use-reconnect'

interface LiveRows {
  /** A fresh channel with its listeners, not yet subscribed. Memoized: another function is another subscription. */
  open: () => RealtimeChannel
  policy: RetryPolicy
  /** Queries that wait for this subscription before their first request. */
  gate?: Followed
  /** Refetched whenever events may have been missed: at the start and after every gap. The same array in every render. */
  queryKey?: QueryKey
}

export function useLiveRows({ open, policy, gate, queryKey }: LiveRows): void {
  const queryClient = useQueryClient()
  const { round, giveUp } = useReconnect()
  useEffect(() => {
    const end = keepSubscribed({
      open,
      close: (channel) => supabase.removeChannel(channel),
      policy,
      onGiveUp: giveUp,
      onLive: () => {
        if (gate) gates.opened(gate)
        if (queryKey) catchUp(queryClient, queryKey)
      },
    })
    return () => {
      if (gate) gates.closed(gate)
      end()
    }
  }, [open, policy, gate, queryKey, queryClient, round, giveUp])
}
