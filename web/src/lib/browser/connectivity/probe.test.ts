import { describe, expect, it, vi } from 'vitest'
import { qualityOf, probe } from './probe'

describe('the connection (§4.2-6)', () => {
  it.each([
    ['§4.3 OK under 300 ms is good', { kind: 'answered', ok: true, tookMs: 299 }, 'good'],
    ['§4.4 OK but slower is poor', { kind: 'answered', ok: true, tookMs: 300 }, 'poor'],
    ['§4.4 a non-OK status is poor', { kind: 'answered', ok: false, tookMs: 5 }, 'poor'],
    ['§4.4 a time-out is poor', { kind: 'timeout' }, 'poor'],
    ['§4.5 any other failure is unknown', { kind: 'failed' }, 'unknown'],
  ] as const)('%s', (_name, outcome, want) => {
    expect(qualityOf(outcome)).toBe(want)
  })
})

describe('the probe (§7.48)', () => {
  it('§9.11 gives up after 5000 ms, which counts as poor', async () => {
    vi.useFakeTimers()
    const ask = vi.spyOn(globalThis, 'fetch').mockImplementation(
      (_url, options) =>
        new Promise((_, refuse) => {
          options?.signal?.addEventListener('abort', () => refuse(new DOMException('', 'AbortError')))
        }),
    )
    const quality = probe('https://muster.example/', 'key')
    await vi.advanceTimersByTimeAsync(4_999)
    const signal = ask.mock.calls[0]?.[1]?.signal
    expect(signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(signal?.aborted).toBe(true)
    expect(await quality).toBe('poor')
    vi.useRealTimers()
  })
})
