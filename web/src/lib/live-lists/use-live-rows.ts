/** Keeps the cache in sync with a table's row changes while a page is mounted. */
import type { RealtimeChannel } from '@supabase/supabase-js'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { supabase } from '@/lib/supabase/client'
import { keepSubscribed, type RetryPolicy } from '@/lib/supabase/keep-subscribed'
import { type Followed, gates } from './live-gate'
import { catchUp } from './long-lists'
import { retrying } from './retry-policies'
import { useReconnect } from './use-reconnect'

interface LiveRows {
  /** A new channel with its listeners, not subscribed yet. Memoized: a new function is a new subscription. */
  open: () => RealtimeChannel
  policy?: RetryPolicy
  /** The gate for queries that wait for this subscription before their first request. */
  gate?: Followed
  /** Refetched whenever events may have been missed: at the start and after every gap. A stable array. */
  queryKey?: QueryKey
  /** `join` for broadcasts. */
  confirmedBy?: 'changes' | 'join'
}

export function useLiveRows({ open, policy = retrying, gate, queryKey, confirmedBy = 'changes' }: LiveRows): void {
  const queryClient = useQueryClient()
  const { round, giveUp } = useReconnect()
  useEffect(() => {
    const end = keepSubscribed({
      open,
      close: (channel) => supabase.removeChannel(channel),
      policy,
      confirmedBy,
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
  }, [open, policy, gate, queryKey, confirmedBy, queryClient, round, giveUp])
}
