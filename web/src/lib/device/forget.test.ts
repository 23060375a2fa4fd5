import { afterEach, expect, it, vi } from 'vitest'
import { forgetDevice, forgetDrafts, forgetReads } from './forget'

afterEach(() => vi.unstubAllGlobals())

it('§17.5 drafts and unsent messages are removed, the theme stays', () => {
  localStorage.setItem('muster:draft-post:me', 'x')
  localStorage.setItem('muster:draft:me:ben', 'x')
  localStorage.setItem('muster:outbox:me:ben', 'x')
  localStorage.setItem('muster:theme', 'dark')
  forgetDrafts(localStorage)
  expect(Object.keys(localStorage)).toEqual(['muster:theme'])
  localStorage.clear()
})

it('§17.5 a sign-out deletes rows and the push subscription; an ended session the rows', async () => {
  const deleteDatabase = vi.fn()
  const unsubscribe = vi.fn(() => Promise.resolve(true))
  vi.stubGlobal('indexedDB', { deleteDatabase })
  const pushManager = { getSubscription: () => Promise.resolve({ unsubscribe }) }
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => Promise.resolve({ pushManager }) } })
  forgetReads()
  expect(deleteDatabase.mock.calls).toEqual([['muster-reads']])
  await forgetDevice()
  expect(deleteDatabase.mock.calls).toEqual([['muster-reads'], ['muster-reads']])
  expect(unsubscribe).toHaveBeenCalledTimes(1)
})

it('§17.5 a browser that keeps nothing has nothing to forget', async () => {
  vi.stubGlobal('indexedDB', {
    deleteDatabase: () => {
      throw new DOMException('blocked', 'SecurityError')
    },
  })
  vi.stubGlobal('navigator', {})
  await expect(forgetDevice()).resolves.toBeUndefined()
})
