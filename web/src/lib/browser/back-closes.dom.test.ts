import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addLayer, atPage } from './back-closes'

const router = vi.fn()
const page = (key: string, path: string) => {
  window.history.pushState({ key, idx: 1 }, '', path)
  atPage(key)
}
/** Where the history stands: the page, and whether at its second entry. */
const here = () => {
  const { key, layer = false } = window.history.state as { key: string; layer?: true }
  return `${key}${layer ? '+' : ''}`
}
const comesTo = (want: string) => vi.waitFor(() => expect(here()).toBe(want))

beforeEach(() => {
  router.mockClear()
  window.addEventListener('popstate', router)
  page('a', '/feed')
  page('b', '/profile')
})
afterEach(() => window.removeEventListener('popstate', router))

test('Back closes the layer, and only then leaves the page', async () => {
  const close = vi.fn(() => gone())
  const gone = addLayer(close)
  expect(here()).toBe('b+')
  window.history.back()
  await comesTo('b')
  expect([close.mock.calls.length, router.mock.calls.length]).toEqual([1, 0])
  window.history.back()
  await comesTo('a')
  expect(router).toHaveBeenCalledOnce()
})

test('Back is one step after a layer was closed otherwise', async () => {
  addLayer(() => {})()
  window.history.back()
  await comesTo('a')
  expect(router).toHaveBeenCalledOnce()
})

test('a page that was replaced while a layer was over it is passed over', async () => {
  page('x', '/profile?edit')
  addLayer(() => {})()
  window.history.replaceState({ key: 'y', idx: 1 }, '', '/profile')
  atPage('y', true)
  window.history.back()
  await comesTo('b')
  expect(router).toHaveBeenCalledOnce()
  atPage('b')
  window.history.forward()
  await comesTo('y')
  expect(router).toHaveBeenCalledTimes(2)
})

test('a layer that asks first stays, and Back asks again', async () => {
  const asks = vi.fn()
  const gone = addLayer(asks)
  for (const times of [1, 2]) {
    window.history.back()
    // Not for the page's first entry: a busy machine looks only after the layer has its own again.
    await vi.waitFor(() => expect(asks).toHaveBeenCalledTimes(times))
    await comesTo('b+')
  }
  gone()
})

test('two layers close one after the other', async () => {
  const closed: string[] = []
  const under = addLayer(() => closed.push('sheet') && under())
  const over = addLayer(() => closed.push('question') && over())
  window.history.back()
  await vi.waitFor(() => expect(closed).toEqual(['question']))
  await comesTo('b+')
  window.history.back()
  await comesTo('b')
  expect(closed).toEqual(['question', 'sheet'])
})

test('a page that replaces this one while a layer is open keeps it', async () => {
  const close = vi.fn(() => gone())
  const gone = addLayer(close)
  window.history.replaceState({ key: 'c', idx: 1 }, '', '/profile?state=IA')
  atPage('c')
  window.history.back()
  await comesTo('c')
  expect([close.mock.calls.length, window.location.search]).toEqual([1, '?state=IA'])
})
