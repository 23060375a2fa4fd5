import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useReconnect } from './use-reconnect'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('does not reconnect while no subscription has given up', () => {
  const { result } = renderHook(() => useReconnect())
  act(() => void window.dispatchEvent(new Event('online')))
  act(() => void vi.advanceTimersByTime(600_000))
  expect(result.current.round).toBe(0)
})

test('reconnects once when the browser is online again', () => {
  const { result } = renderHook(() => useReconnect())
  act(() => result.current.giveUp())
  act(() => void window.dispatchEvent(new Event('online')))
  act(() => void window.dispatchEvent(new Event('online')))
  expect(result.current.round).toBe(1)
})

test('or reconnects a minute later', () => {
  const { result } = renderHook(() => useReconnect())
  act(() => result.current.giveUp())
  act(() => void vi.advanceTimersByTime(59_999))
  expect(result.current.round).toBe(0)
  act(() => void vi.advanceTimersByTime(1))
  expect(result.current.round).toBe(1)
})
