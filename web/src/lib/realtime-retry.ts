/** Keeps one row-change subscription alive: retries with the given delays, gives up when told to, cleans up once. */
import type { RealtimeChannel } from '@supabase/supabase-js'

export interface RetryPolicy {
  /** Delay before retry number `attempt` (0-based), or null to give up. */
  delayMs: (attempt: number, reconnects: number) => number | null
}

interface Options {
  /** A fresh channel with its listeners, not yet subscribed. */
  open: () => RealtimeChannel
  close: (channel: RealtimeChannel) => unknown
  policy: RetryPolicy
  /** After every (re)subscription but the first: what happened meanwhile has to be fetched. */
  onGap: () => void
  /** The policy has no more retries. */
  onGiveUp?: () => void
  /** An earlier subscription ended: the first join here follows a gap too. */
  afterGap?: boolean
}

/** Returns the function that ends the subscription. */
export function keepSubscribed({ open, close, policy, onGap, onGiveUp, afterGap = false }: Options): () => void {
  let attempt = 0
  let reconnects = 0
  let joinedBefore = afterGap
  let ended = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let channel: RealtimeChannel | null = null

  const start = () => {
    const own = open()
    channel = own
    own.subscribe((status: string) => {
      if (ended || own !== channel) return
      if (status === 'SUBSCRIBED') {
        attempt = 0
        if (joinedBefore) onGap()
        joinedBefore = true
      } else if (status === 'CHANNEL_ERROR' || status === 'TIMED_OUT') {
        const delay = policy.delayMs(attempt, reconnects)
        if (delay === null) {
          if (!onGiveUp) return
          channel = null
          close(own)
          return onGiveUp()
        }
        attempt += 1
        reconnects += 1
        channel = null
        close(own)
        timer = setTimeout(start, delay)
      }
    })
  }

  start()
  return () => {
    ended = true
    clearTimeout(timer)
    if (channel) close(channel)
  }
}
