import { expect, test, vi } from 'vitest'
import { notifyInOneTab } from './one-tab'

test('a toast for an event in two tabs is shown once', () => {
  const say = vi.fn()
  notifyInOneTab('mention-1', say)
  notifyInOneTab('mention-1', say)
  notifyInOneTab('mention-2', say)
  expect(say).toHaveBeenCalledTimes(2)
})

test('a hidden tab shows nothing and claims nothing', () => {
  const say = vi.fn()
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  notifyInOneTab('mention-3', say)
  expect(say).not.toHaveBeenCalled()
  visibility.mockReturnValue('visible')
  notifyInOneTab('mention-3', say)
  expect(say).toHaveBeenCalledOnce()
})
