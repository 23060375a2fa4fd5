import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useNow } from './use-now'

afterEach(() => void vi.useRealTimers())

it('moves on while the page stays open, and is current for whoever comes later', () => {
  vi.useFakeTimers({ now: new Date('2026-01-05T12:00:00Z') })
  const shown = renderHook(useNow)
  expect(shown.result.current.toISOString()).toBe('2026-01-05T12:00:00.000Z')
  act(() => void vi.advanceTimersByTime(3 * 60_000))
  expect(shown.result.current.toISOString()).toBe('2026-01-05T12:03:00.000Z')
  shown.unmount()
  vi.advanceTimersByTime(3_600_000)
  expect(renderHook(useNow).result.current.toISOString()).toBe('2026-01-05T13:03:00.000Z')
})
