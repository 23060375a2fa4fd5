import { describe, expect, it } from 'vitest'
import { RequestError } from '@/lib/supabase/errors'
import { deliveryOf, type Entry, entryOf } from './entry'
import { refusalOf, Refused, verdictOf } from './verdict'

const answered = (status: number, code = '') => new RequestError(status, { code, message: 'm' })

describe('§17.2 a failed attempt', () => {
  it.each([
    ['no answer', answered(0), 'unanswered'],
    ['a broken fetch in Chromium', new TypeError('Failed to fetch'), 'unanswered'],
    ['a broken fetch in Firefox', new TypeError('NetworkError when attempting to fetch resource.'), 'unanswered'],
    ['a broken fetch in Safari', new TypeError('Load failed'), 'unanswered'],
    ['a script that could not be loaded', new TypeError('Failed to fetch dynamically imported module'), 'unanswered'],
    ['too late', new DOMException('', 'TimeoutError'), 'unanswered'],
    ['a server error', answered(500, 'XX000'), 'busy'],
    ['a gateway without a server', answered(502), 'busy'],
    ['a token that ran out', answered(401, 'PGRST301'), 'busy'],
    ['too many requests', answered(429), 'busy'],
    ['our own mistake', new TypeError('x is not a function'), 'busy'],
    ['a daily limit', answered(429, 'PT429'), 'refused'],
    ['row-level security', answered(403, '42501'), 'refused'],
    ['a constraint', answered(400, '23514'), 'refused'],
    ['a handler', new Refused('no'), 'refused'],
  ])('%s', (_name, cause, want) => {
    expect(verdictOf(cause)).toBe(want)
  })

  it('keeps what the database said', () => {
    expect(refusalOf(answered(429, 'PT429'))).toEqual({ code: 'PT429', message: 'm' })
    expect(refusalOf('?')).toEqual({ code: '', message: '' })
  })
})

describe('§17.2 what is said of an entry', () => {
  const entry: Entry = { ...entryOf({ id: '1', kind: 'k', lane: 'l', place: '/', payload: null }, 'me', 'now'), seq: 1 }
  it.each([
    [entry, true, false, 'sending'],
    [entry, false, false, 'waiting'],
    [entry, true, true, 'waiting'],
    [{ ...entry, failures: 1 }, true, false, 'delayed'],
    [{ ...entry, state: 'refused' as const }, false, true, 'refused'],
  ])('%#', (one, isOnline, stalled, want) => {
    expect(deliveryOf(one, isOnline, { entries: [], stalled })).toBe(want)
  })
})
