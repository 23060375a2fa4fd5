import { describe, expect, it } from 'vitest'
import { storeSession } from '@/test/server'
import { clearCookies, clearSessionEntries, hasStoredSession, isSessionEntry, sessionKey } from './session-storage'

describe('stored session data (§3.15, §4.10)', () => {
  it('is found by the names the client uses, and nothing else is removed', () => {
    storeSession()
    localStorage.setItem('supabase.auth.token', '{}')
    localStorage.setItem('sb-abc-auth-token-code-verifier', 'x')
    localStorage.setItem('muster:theme', 'dark')
    expect(hasStoredSession()).toBe(true)
    clearSessionEntries(localStorage)
    expect(Object.keys(localStorage)).toEqual(['muster:theme'])
    expect(hasStoredSession()).toBe(false)
    expect(isSessionEntry('theme')).toBe(false)
  })

  it.each(['zzz', 'null', '[]', '{}', '{"access_token":"a.b.c","refresh_token":"d"}', '{"user":{"id":7}}'])(
    'a damaged entry is none, and is forgotten: %s',
    (text) => {
      localStorage.setItem(sessionKey, text)
      expect(hasStoredSession()).toBe(false)
      expect(localStorage.getItem(sessionKey)).toBeNull()
    },
  )

  it('includes cookies', () => {
    document.cookie = 'one=1; path=/'
    document.cookie = 'two=2'
    clearCookies()
    expect(document.cookie).toBe('')
  })
})
