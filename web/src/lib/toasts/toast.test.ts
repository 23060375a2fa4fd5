import { describe, expect, it, vi } from 'vitest'
import { attachSink, onWaiting, showToast } from './toast'

describe('toasts', () => {
  it('wait for the toaster and are shown in order once it stands', () => {
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
