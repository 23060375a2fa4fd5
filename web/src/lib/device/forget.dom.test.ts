import { afterEach, expect, it, vi } from 'vitest'
import { forgetDevice, forgetDrafts, forgetOthersDrafts, forgetReads } from './forget'

afterEach(() => vi.unstubAllGlobals())

it('§17.5 drafts are removed, the theme stays', () => {
  localStorage.setItem('muster:draft-post:me', 'x')
  localStorage.setItem('muster:draft:me:ben', 'x')
  localStorage.setItem('muster:theme', 'dark')
  forgetDrafts(localStorage)
  expect(Object.keys(localStorage)).toEqual(['muster:theme'])
  localStorage.clear()
})

it('§17.5 of another member who signs in, only the drafts of the former are removed', () => {
  const mine = ['muster:draft-post:me', 'muster:draft:me:ben', 'muster:theme']
  for (const name of [...mine, 'muster:draft-post:ben', 'muster:draft:ben:me', 'muster:draft-comment:ben:1'])
    localStorage.setItem(name, 'x')
  sessionStorage.setItem('muster:draft-feedback:ben', 'x')
  forgetOthersDrafts('me')
  expect(Object.keys(localStorage).sort()).toEqual(mine)
  expect(sessionStorage).toHaveLength(0)
  localStorage.clear()
})

it('§17.5 a sign-out deletes rows, the outbox and the push subscription; an ended session the rows', async () => {
  const deleteDatabase = vi.fn()
  const unsubscribe = vi.fn(() => Promise.resolve(true))
  vi.stubGlobal('indexedDB', { deleteDatabase })
  const pushManager = { getSubscription: () => Promise.resolve({ unsubscribe }) }
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => Promise.resolve({ pushManager }) } })
  forgetReads()
  expect(deleteDatabase.mock.calls).toEqual([['muster-reads']])
  await forgetDevice()
  expect(deleteDatabase.mock.calls).toEqual([['muster-reads'], ['muster-reads'], ['muster-outbox']])
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
