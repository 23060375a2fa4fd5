import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useReconnect } from './use-reconnect'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('nothing begins anew while nothing gave up', () => {
  const { result } = renderHook(() => useReconnect())
  act(() => void window.dispatchEvent(new Event('online')))
  act(() => void vi.advanceTimersByTime(600_000))
  expect(result.current.round).toBe(0)
})

test('what gave up begins anew when the browser is online again, once', () => {
  const { result } = renderHook(() => useReconnect())
  act(() => result.current.giveUp())
  act(() => void window.dispatchEvent(new Event('online')))
  act(() => void window.dispatchEvent(new Event('online')))
  expect(result.current.round).toBe(1)
})

test('or a minute later', () => {
  const { result } = renderHook(() => useReconnect())
  act(() => result.current.giveUp())
  act(() => void vi.advanceTimersByTime(59_999))
  expect(result.current.round).toBe(0)
  act(() => void vi.advanceTimersByTime(1))
  expect(result.current.round).toBe(1)
})
