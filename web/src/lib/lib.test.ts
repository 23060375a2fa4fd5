import { renderHook } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { parseEnv } from '@/config/env'
import { backoffMs } from '@/config/limits'
import { combine } from '@/lib/browser/connectivity/network-status'
import { judge, probe } from '@/lib/browser/connectivity/probe'
import { formatAgo, formatDate, formatSpan } from '@/lib/format/dates'
import { isGone, refusalOf } from '@/lib/browser/log'
import { isUuid } from '@/lib/format/uuid'
import { logError } from '@/lib/browser/log'
import { useIsMobile } from '@/lib/browser/media'
import { attachSink, showToast, onWaiting } from '@/lib/toasts/toast'
import { originOf, safeOrigin } from '@/lib/browser/origin'
import { hueOf, initials } from '@/lib/format/people'
import { isNetworkError, makeQueryClient } from '@/lib/supabase/query-client'
import {
  clearCookies,
  clearSessionEntries,
  hasStoredSession,
  isSessionEntry,
  sessionKey,
} from '@/lib/supabase/session-storage'
import { readStored, writeStored } from '@/lib/browser/storage'
import { storeSession } from '@/test/server'

describe('configuration at run time', () => {
  it('an empty backend address means the page’s own origin; the probe asks its root (§7.48)', () => {
    expect(parseEnv({ supabaseUrl: '', supabaseKey: 'k' }, 'https://muster.example')).toEqual({
      supabaseUrl: 'https://muster.example',
      supabaseKey: 'k',
      siteUrl: 'https://muster.example',
      probeUrl: 'https://muster.example/',
    })
    expect(
      parseEnv({ supabaseUrl: 'https://db.example/', probeUrl: '/auth/v1/health' }, 'https://a.example'),
    ).toMatchObject({
      supabaseUrl: 'https://db.example',
      probeUrl: 'https://db.example/auth/v1/health',
    })
  })
})

describe('people', () => {
  it.each([
    ['Dana Whitcomb', 'DW'],
    ['dana', 'D'],
    ['Ana Maria del Rio', 'AM'],
    ['', 'U'],
    [null, 'U'],
    ['   ', 'U'],
    ['école normale', 'ÉN'],
    ['😀 fire', '😀F'],
  ])('§3.14, §9.13 the initials of %j are %s', (name, want) => {
    expect(initials(name)).toBe(want)
  })

  it('a member keeps one of 24 hues', () => {
    expect(hueOf('a')).toBe(hueOf('a'))
    expect(hueOf('a') % 15).toBe(0)
    expect(new Set(Array.from({ length: 500 }, (_, i) => hueOf(`member-${i}`))).size).toBe(24)
  })
})

describe('dates', () => {
  it("§9.25 look like 'Jan 5, 2025', or say 'Invalid date'", () => {
    expect(formatDate('2025-01-05T12:00:00Z')).toBe('Jan 5, 2025')
    expect([formatDate('soon'), formatDate(null), formatDate('')]).toEqual([
      'Invalid date',
      'Invalid date',
      'Invalid date',
    ])
  })

  it.each([
    ['2025-06-10T11:59:40Z', 'now'],
    ['2025-06-10T11:28:00Z', '32 min'],
    ['2025-06-10T10:00:00Z', '2 h'],
    ['2025-06-09T10:00:00Z', 'Yesterday'],
    ['2025-06-05T10:00:00Z', 'Jun 5, 2025'],
    ['nonsense', 'Invalid date'],
  ])('%s was %s', (then, want) => {
    expect(formatAgo(then, new Date('2025-06-10T12:00:00Z'))).toBe(want)
  })
})

describe('the remembered origin (§2.27)', () => {
  const here = 'https://muster.example'
  it.each(['/messages', '/profile/1?tab=posts#awards', '/auth/callback-help'])('%s is a page of ours', (path) => {
    expect(safeOrigin(path, here)).toBe(path)
  })

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'feed',
    '',
    null,
    42,
    '/login',
    '/register',
    '/auth/callback?code=1',
  ])('%j is refused', (path) => {
    expect(safeOrigin(path, here)).toBeNull()
  })

  it('comes from the guard first, from ?next= then, and is the feed otherwise', () => {
    expect(originOf({ state: { from: '/network' }, search: '?next=/blog' }, here)).toBe('/network')
    expect(originOf({ state: null, search: '?next=/blog' }, here)).toBe('/blog')
    expect(originOf({ state: { from: '//evil.example' }, search: '?next=https://evil.example' }, here)).toBe('/feed')
  })
})

describe('the connection (§4.2-6)', () => {
  it.each([
    ['§4.3 OK under 300 ms is good', { kind: 'answered', ok: true, tookMs: 299 }, 'good'],
    ['§4.4 OK but slower is poor', { kind: 'answered', ok: true, tookMs: 300 }, 'poor'],
    ['§4.4 a non-OK status is poor', { kind: 'answered', ok: false, tookMs: 5 }, 'poor'],
    ['§4.4 a time-out is poor', { kind: 'timeout' }, 'poor'],
    ['§4.5 any other failure is unknown', { kind: 'failed' }, 'unknown'],
  ] as const)('%s', (_name, outcome, want) => {
    expect(judge(outcome)).toBe(want)
  })

  it('§4.6 shows online, poor or offline', () => {
    expect([combine(true, 'good'), combine(true, 'unknown'), combine(true, 'poor'), combine(false, 'good')]).toEqual([
      'online',
      'online',
      'poor',
      'offline',
    ])
  })
})

describe('the data cache', () => {
  it('§9.31 is fresh for 5 minutes, kept for 30, and does not refetch on focus; §9.33 mutations are not retried', () => {
    const { queries, mutations } = makeQueryClient().getDefaultOptions()
    expect(queries).toMatchObject({ staleTime: 300_000, gcTime: 1_800_000, refetchOnWindowFocus: false })
    expect(mutations).toMatchObject({ retry: false })
  })

  it('§9.32 retries once, never after a network error, backing off from 1 s to 30 s', () => {
    const retry = makeQueryClient().getDefaultOptions().queries?.retry as (failures: number, error: Error) => boolean
    expect([retry(0, new Error('500')), retry(1, new Error('500'))]).toEqual([true, false])
    expect(retry(0, new TypeError('Failed to fetch'))).toBe(false)
    expect(isNetworkError(new Error('TypeError: Failed to fetch'))).toBe(true)
    expect([0, 1, 2, 3, 4, 5, 9].map(backoffMs)).toEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000])
  })
})

describe('traces of a session (§3.15, §4.10)', () => {
  it('are found by the names the client gives them, and nothing else goes', () => {
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

  it('cookies go too', () => {
    document.cookie = 'one=1; path=/'
    document.cookie = 'two=2'
    clearCookies()
    expect(document.cookie).toBe('')
  })
})

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

describe('the probe (§7.48)', () => {
  it('§9.11 gives up after 5000 ms, which counts as poor', async () => {
    vi.useFakeTimers()
    const ask = vi.spyOn(globalThis, 'fetch').mockImplementation(
      (_url, options) =>
        new Promise((_, refuse) => {
          options?.signal?.addEventListener('abort', () => refuse(new DOMException('', 'AbortError')))
        }),
    )
    const quality = probe('https://muster.example/', 'key')
    await vi.advanceTimersByTimeAsync(4_999)
    const signal = ask.mock.calls[0]?.[1]?.signal
    expect(signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(signal?.aborted).toBe(true)
    expect(await quality).toBe('poor')
    vi.useRealTimers()
  })
})

describe('what the console is told', () => {
  it('§8.6 is a generic text where an error brings no words', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    logError('The feed', new Error(''))
    expect(log).toHaveBeenCalledWith('The feed: An error occurred. Check logs for details.')
  })
})

it('§9.7 mobile is everything under 768 px', () => {
  const asked = vi.spyOn(window, 'matchMedia')
  renderHook(() => useIsMobile())
  expect(asked).toHaveBeenCalledWith('(max-width: 767px)')
})

describe('what a browser keeps for us', () => {
  it('is read, written and forgotten; where storage is blocked nothing is kept and nothing breaks', () => {
    writeStored('localStorage', 'k', 'v')
    expect(readStored('localStorage', 'k')).toBe('v')
    writeStored('localStorage', 'k', null)
    expect(readStored('localStorage', 'k')).toBeNull()
    const denied = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(denied)
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(denied)
    writeStored('sessionStorage', 'k', 'v')
    const read = readStored('sessionStorage', 'k')
    vi.restoreAllMocks()
    expect(read).toBeNull()
  })
})

describe('when something takes place', () => {
  const at = (day: number, hour: number) => new Date(2026, 11, day, hour).toISOString()
  it.each([
    [at(3, 8), at(3, 16), 'Dec 3, 2026, 08:00 to 16:00'],
    [at(3, 8), at(4, 0), 'Dec 3, 2026, 08:00 to Dec 4, 2026, 00:00'],
    [at(3, 8), null, 'Dec 3, 2026, 08:00'],
    [at(3, 8), at(3, 8), 'Dec 3, 2026, 08:00'],
    ['soon', null, 'Invalid date'],
  ])('%s to %s', (start, end, want) => expect(formatSpan(start, end)).toBe(want))
})

describe('why a change was refused', () => {
  it('is said when the database says it for people, and never in its own terms', () => {
    const limit = { code: 'PT429', message: 'A comment can mention at most 10 members' }
    const constraint = { code: '23514', message: 'new row for relation "posts" violates check constraint "x"' }
    expect(refusalOf(limit, 'Please try again.')).toBe(limit.message)
    for (const cause of [constraint, new Error('x'), null, 'x', { code: 7 }]) {
      expect(refusalOf(cause, 'Please try again.')).toBe('Please try again.')
    }
  })

  it('is known when the thing is gone', () => {
    expect(['PGRST116', '23503', '42501', '23514', undefined].map((code) => isGone({ code }))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    expect(isGone(null)).toBe(false)
  })
})

it('what names nothing is not asked for', () => {
  expect(isUuid('3e6f2c1a-0000-4000-8000-000000000001')).toBe(true)
  for (const other of ['', 'new', "' or 1=1", '3e6f2c1a-0000-4000-8000-000000000001 or 1=1'])
    expect(isUuid(other)).toBe(false)
})
