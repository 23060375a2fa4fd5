import type { RealtimeChannel } from '@supabase/supabase-js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backoffMs, limits } from '@/config/limits'
import { keepSubscribed, type RetryPolicy } from './keep-subscribed'

/** The policy of the connections subscription: 3 retries per channel, 15 in all. */
const policy: RetryPolicy = {
  delayMs: (attempt, reconnects) =>
    attempt >= limits.connectionRetries || reconnects >= limits.connectionReconnects ? null : backoffMs(attempt),
}

/** A channel controlled by the test. */
function fakeChannels() {
  const made: { say: (status: string) => void; system: (message: object) => void }[] = []
  const open = () => {
    const own = { say: (_status: string) => {}, system: (_message: object) => {} }
    made.push(own)
    return {
      on: (_type: string, _filter: object, listener: (message: object) => void) => {
        own.system = listener
      },
      subscribe: (listener: (status: string) => void) => {
        own.say = listener
      },
    } as unknown as RealtimeChannel
  }
  return { made, open }
}

describe('keepSubscribed', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('§4.41, §9.10 retries 3 times per channel, 1 s doubled, then gives up', () => {
    const { made, open } = fakeChannels()
    const close = vi.fn()
    keepSubscribed({ open, close, policy, onLive: vi.fn() })
    for (const delay of [1000, 2000, 4000]) {
      made.at(-1)?.say('CHANNEL_ERROR')
      const before = made.length
      vi.advanceTimersByTime(delay - 1)
      expect(made).toHaveLength(before)
      vi.advanceTimersByTime(1)
      expect(made).toHaveLength(before + 1)
    }
    made.at(-1)?.say('TIMED_OUT')
    vi.advanceTimersByTime(120_000)
    expect(made).toHaveLength(4)
    expect(close).toHaveBeenCalledTimes(3)
  })

  it('§4.41 never reconnects more than 15 times in all', () => {
    const { made, open } = fakeChannels()
    keepSubscribed({ open, close: vi.fn(), policy, onLive: vi.fn() })
    for (let i = 0; i < 40; i++) {
      made.at(-1)?.say('SUBSCRIBED') // a success resets the channel's three retries
      made.at(-1)?.say('CHANNEL_ERROR')
      vi.advanceTimersByTime(30_000)
    }
    expect(made).toHaveLength(16)
  })

  it('refetches whenever the subscription is confirmed, and never after it has ended', () => {
    const followed = { extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL' }
    const { made, open } = fakeChannels()
    const onLive = vi.fn()
    const close = vi.fn()
    const stop = keepSubscribed({ open, close, policy, onLive })
    made[0]?.say('SUBSCRIBED') // the join alone does not confirm the subscription
    made[0]?.system({ ...followed, status: 'error' })
    expect(onLive).not.toHaveBeenCalled()
    made[0]?.system(followed)
    expect(onLive).toHaveBeenCalledTimes(1)
    made[0]?.say('CHANNEL_ERROR')
    vi.advanceTimersByTime(1000)
    made[0]?.system(followed) // from a channel that was closed
    made[1]?.system(followed)
    expect(onLive).toHaveBeenCalledTimes(2)
    stop()
    made[1]?.system(followed)
    made[1]?.say('CHANNEL_ERROR')
    vi.advanceTimersByTime(60_000)
    expect(onLive).toHaveBeenCalledTimes(2)
    expect(made).toHaveLength(2)
    expect(close).toHaveBeenCalledTimes(2)
  })
})
