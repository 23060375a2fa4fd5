/** Keeps one row-change subscription alive: retries with the given delays, gives up when told to, cleans up once. */
import type { RealtimeChannel } from '@supabase/supabase-js'

export interface RetryPolicy {
  /** Delay before retry number `attempt` (0-based), or null to give up. */
  delayMs: (attempt: number, reconnects: number) => number | null
}

/** What the server says of a subscription, beside the answer to its join. */
interface SystemMessage {
  extension?: string
  status?: string
}

interface Options {
  /** A fresh channel with its listeners, not yet subscribed. */
  open: () => RealtimeChannel
  close: (channel: RealtimeChannel) => unknown
  policy: RetryPolicy
  /** Changes come from now on, the first time and after every gap: what was fetched before may have missed some. */
  onLive: () => void
  /** The policy has no more retries. */
  onGiveUp?: () => void
}

/** Returns the function that ends the subscription. */
export function keepSubscribed({ open, close, policy, onLive, onGiveUp }: Options): () => void {
  let attempt = 0
  let reconnects = 0
  let ended = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let channel: RealtimeChannel | null = null

  const start = () => {
    const own = open()
    channel = own
    // The join is answered before the database's changes are: only this message says that they are followed.
    own.on('system', {}, ({ extension, status }: SystemMessage) => {
      if (!ended && own === channel && extension === 'postgres_changes' && status === 'ok') onLive()
    })
    own.subscribe((status: string) => {
      if (ended || own !== channel) return
      if (status === 'SUBSCRIBED') {
        attempt = 0
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
