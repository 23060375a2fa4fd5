/** Keeps one row-change subscription alive: retries and gives up by the given policy, cleans up once. */
import type { RealtimeChannel } from '@supabase/supabase-js'

export interface RetryPolicy {
  /** Delay before retry number `attempt` (0-based), or null to give up. */
  delayMs: (attempt: number, reconnects: number) => number | null
}

/** The server's system message on a subscription, besides the reply to its join. */
interface SystemMessage {
  extension?: string
  status?: string
}

interface Options {
  /** A new channel with its listeners, not subscribed yet. */
  open: () => RealtimeChannel
  close: (channel: RealtimeChannel) => unknown
  policy: RetryPolicy
  /** The subscription is confirmed, first or again after a gap: data fetched earlier may have missed changes. */
  onLive: () => void
  /** What confirms it: the message that row changes are streamed, or, for broadcasts, the join itself. */
  confirmedBy?: 'changes' | 'join'
  /** The policy has no more retries. */
  onGiveUp?: () => void
}

/** Returns the function that ends the subscription. */
export function keepSubscribed({
  open,
  close,
  policy,
  onLive,
  confirmedBy = 'changes',
  onGiveUp,
}: Options): () => void {
  let attempt = 0
  let reconnects = 0
  let ended = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let channel: RealtimeChannel | null = null

  const start = () => {
    const own = open()
    channel = own
    // The join is acknowledged before row changes are streamed: only this message confirms them.
    own.on('system', {}, ({ extension, status }: SystemMessage) => {
      if (!ended && own === channel && extension === 'postgres_changes' && status === 'ok' && confirmedBy === 'changes')
        onLive()
    })
    own.subscribe((status: string) => {
      if (ended || own !== channel) return
      if (status === 'SUBSCRIBED') {
        attempt = 0
        if (confirmedBy === 'join') onLive()
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
