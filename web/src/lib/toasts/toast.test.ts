import { describe, expect, it, vi } from 'vitest'
import { attachSink, onWaiting, showToast } from './toast'

describe('toasts', () => {
  it('are queued until the toaster is mounted, and shown in order', () => {
    const wake = vi.fn()
    const stop = onWaiting(wake)
    showToast({ title: 'first' })
    expect(wake).toHaveBeenCalledTimes(1)
    const shown: string[] = []
    const detach = attachSink((toast) => shown.push(toast.title))
    showToast({ title: 'second' })
    expect(shown).toEqual(['first', 'second'])
    detach()
    stop()
  })
})
