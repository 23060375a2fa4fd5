import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeGates } from './live-gate'

describe('waiting for a subscription before the first request', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const settledOf = (wait: Promise<boolean>) => {
    const done = vi.fn()
    void wait.then(done)
    return done
  }

  it('waits for the subscription of its own kind', async () => {
    const gates = makeGates()
    const messages = settledOf(gates.passed('messages'))
    gates.opened('notifications')
    await vi.advanceTimersByTimeAsync(500)
    expect(messages).not.toHaveBeenCalled()
    gates.opened('messages')
    await vi.advanceTimersByTimeAsync(0)
    expect(messages).toHaveBeenCalledExactlyOnceWith(true)
    const next = settledOf(gates.passed('messages'))
    await vi.advanceTimersByTimeAsync(0)
    expect(next).toHaveBeenCalledExactlyOnceWith(true)
  })

  it('waits a second at most, and waits again after the subscription ended', async () => {
    const gates = makeGates()
    const late = settledOf(gates.passed('connections'))
    await vi.advanceTimersByTimeAsync(999)
    expect(late).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(late).toHaveBeenCalledExactlyOnceWith(false)
    gates.opened('connections')
    gates.closed('connections')
    const again = settledOf(gates.passed('connections'))
    await vi.advanceTimersByTimeAsync(10)
    expect(again).not.toHaveBeenCalled()
  })

  it('a query that waits is sent once, and includes changes made before the subscription', async () => {
    const gates = makeGates()
    const client = new QueryClient()
    let truth = 1
    const ask = vi.fn(() => truth)
    const query = {
      queryKey: ['counted'],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        await gates.passed('messages', signal)
        signal.throwIfAborted()
        return ask()
      },
    }
    const first = client.fetchQuery(query).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(100)
    truth = 2 // a change before the subscription is confirmed
    gates.opened('messages')
    void client.invalidateQueries({ queryKey: ['counted'] })
    await first
    expect(await client.fetchQuery({ ...query, staleTime: Infinity })).toBe(2)
    expect(ask).toHaveBeenCalledOnce()
  })
})
