import { expect, it, vi } from 'vitest'
import { ToastStore } from './toast-store'

it('§9.29 keeps at most 5 toasts, the newest', () => {
  const store = new ToastStore()
  expect([1, 2, 3, 4, 5].flatMap((id) => store.add(id))).toEqual([])
  expect(store.add(6)).toEqual([1])
  expect(store.add(3)).toEqual([]) // added again: it is the newest now
  expect(store.kept).toEqual([2, 4, 5, 6, 3])
})

it('§9.29 removes a dismissed toast after 5000 ms', () => {
  vi.useFakeTimers()
  const store = new ToastStore()
  store.add('a')
  store.dismissed('a')
  vi.advanceTimersByTime(4_999)
  expect(store.kept).toEqual(['a'])
  vi.advanceTimersByTime(1)
  expect(store.kept).toEqual([])
  vi.useRealTimers()
})
