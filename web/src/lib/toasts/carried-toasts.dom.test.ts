import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Toast } from './toast'

const load = async () => {
  vi.resetModules()
  const page = await import('./toast')
  const shown: Toast[] = []
  page.attachSink((toast) => shown.push(toast))
  return { ...page, shown }
}

describe('toasts that a reload would cut short', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    sessionStorage.clear()
  })

  it('§4.12 §9.12 are shown by the next page, once, without their action', async () => {
    const before = await load()
    before.showToast({ title: 'Long ago' })
    vi.advanceTimersByTime(5_000)
    before.showToast({
      title: 'Account deleted',
      description: 'All of it.',
      action: { label: 'See it', run: () => {} },
    })
    before.showToast({ title: 'Signed out' })
    vi.advanceTimersByTime(500)
    before.carryToasts()
    const after = await load()
    after.showCarriedToasts()
    after.showCarriedToasts()
    expect(after.shown).toEqual([{ title: 'Account deleted', description: 'All of it.' }, { title: 'Signed out' }])
    const later = await load()
    later.showCarriedToasts()
    expect(later.shown).toEqual([])
  })

  it('keep their variant', async () => {
    const before = await load()
    before.showToast({ title: 'No', variant: 'destructive' })
    before.carryToasts()
    const after = await load()
    after.showCarriedToasts()
    expect(after.shown).toEqual([{ title: 'No', variant: 'destructive' }])
  })

  it.each(['{', '7', '[7, null, {"title": 7}, {"title": "x", "description": {}}]'])(
    'ignores damaged entries: %s',
    async (stored) => {
      sessionStorage.setItem('muster:carried-toasts', stored)
      const page = await load()
      page.showCarriedToasts()
      expect(page.shown).toEqual([])
      expect(sessionStorage).toHaveLength(0)
    },
  )

  it('are dropped when storage is blocked', async () => {
    const page = await load()
    const blocked = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('blocked')
    })
    page.showToast({ title: 'Signed out' })
    expect(() => page.carryToasts()).not.toThrow()
    blocked.mockRestore()
  })
})
