import { beforeEach, describe, expect, it, vi } from 'vitest'
import { paths } from '@/config/paths'

const failure = new TypeError('Failed to fetch dynamically imported module: https://x/assets/feed.js')
const here = 'https://muster.example/blog?tag=a'

/** The freshly imported module, the toasts it shows, and the addresses it opens. */
async function freshPage() {
  vi.resetModules()
  const { attachSink } = await import('@/lib/toasts/toast')
  const shown: unknown[][] = []
  attachSink(({ title, description, variant }) => shown.push([title, description, variant]))
  const location = { href: here, replace: vi.fn() }
  const { installRecovery, plannedRemedy, recoverFromChunkFailure } = await import('./recover')
  return { shown, location, installRecovery, plannedRemedy, recover: () => recoverFromChunkFailure(location) }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response()))
  return () => vi.useRealTimers()
})

describe('a chunk that failed to load', () => {
  it('§8.10, §8.11, §9.19 first shows a toast, and reloads after 1500 ms with the time in the address, once', async () => {
    const { shown, location, recover } = await freshPage()
    recover()
    recover()
    expect(shown).toEqual([['Navigation Error', 'Failed to load page content. Trying again...', 'destructive']])
    await vi.advanceTimersByTimeAsync(1_499)
    expect(location.replace).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(location.replace.mock.calls).toEqual([[`${here}&reload=1700000000000`]])
  })

  it('§8.9, §8.12 after that reload it goes to /dashboard after 1000 ms; and then takes no further step', async () => {
    await freshPage().then(({ recover }) => recover())
    const second = await freshPage()
    second.recover()
    expect(second.shown).toEqual([
      ['Loading error', 'Failed to load page content. Attempting to recover...', 'destructive'],
    ])
    await vi.advanceTimersByTimeAsync(999)
    expect(second.location.replace).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(second.location.replace.mock.calls).toEqual([[paths.dashboard]])

    const third = await freshPage()
    expect(third.plannedRemedy()).toBe('give-up')
    third.recover()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([third.shown, third.location.replace.mock.calls]).toEqual([[], []])
  })

  it('does not leave the page while the server is unreachable: it waits for an answer', async () => {
    const { location, recover } = await freshPage()
    const ask = vi.mocked(fetch)
    ask.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    ask.mockResolvedValueOnce(new Response(null, { status: 502 }))
    recover()
    await vi.advanceTimersByTimeAsync(1_500 + 1_499)
    expect(location.replace).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1 + 1_500)
    expect(location.replace).toHaveBeenCalledOnce()
    expect(ask).toHaveBeenCalledTimes(3)
  })

  it('is caught by the global handlers, and other failures are ignored', async () => {
    const { shown, installRecovery } = await freshPage()
    installRecovery()
    const rejected = (reason: unknown) => Object.assign(new Event('unhandledrejection'), { reason })
    window.dispatchEvent(rejected(new Error('boom')))
    expect(shown).toEqual([])
    window.dispatchEvent(rejected(failure))
    expect(shown).toHaveLength(1)
  })

  it('is left to importers that handle their own failures', async () => {
    const { shown, installRecovery } = await freshPage()
    const { importHandled } = await import('@/lib/browser/handled-import')
    installRecovery()
    const preload = (cause: Error) => {
      window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: cause }))
      return Promise.reject<void>(cause)
    }
    await importHandled(() => preload(new TypeError(failure.message))).catch(() => undefined)
    await vi.runAllTimersAsync()
    expect(shown).toEqual([])
    await preload(new TypeError(failure.message)).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(1)
    expect(shown).toHaveLength(1)
  })

  it('does nothing when storage is blocked: it could not detect an earlier attempt', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    const { shown, location, plannedRemedy, recover } = await freshPage()
    expect(plannedRemedy()).toBe('give-up')
    recover()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([shown, location.replace.mock.calls]).toEqual([[], []])
  })

  it('the reload timestamp is removed from the address', async () => {
    window.history.replaceState(null, '', '/blog?reload=17&tag=a')
    const { installRecovery } = await freshPage()
    installRecovery()
    expect(window.location.search).toBe('?tag=a')
    window.history.replaceState(null, '', '/')
  })
})
