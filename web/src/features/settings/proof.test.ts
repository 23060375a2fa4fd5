import { describe, expect, it } from 'vitest'
import { isRecentlyAuthenticated } from './proof'

const now = Date.UTC(2026, 2, 5, 3, 0)
const s = now / 1000
const token = (claims: unknown) => `h.${btoa(JSON.stringify(claims)).replace(/\+/g, '-').replace(/\//g, '_')}.s`

describe('recent authentication', () => {
  it.each([
    ['a link a minute ago', { amr: [{ method: 'otp', timestamp: s - 60 }] }, true],
    [
      'a provider beside an old password',
      {
        amr: [
          { method: 'password', timestamp: s - 9e3 },
          { method: 'oauth', timestamp: s - 9 },
        ],
      },
      true,
    ],
    ['a password is asked for again', { amr: [{ method: 'password', timestamp: s }] }, false],
    ['a link an hour ago', { amr: [{ method: 'otp', timestamp: s - 3600 }] }, false],
    ['a renewal proves nothing', { amr: [{ method: 'token_refresh', timestamp: s }] }, false],
    ['none', {}, false],
    ['a strange list', { amr: ['otp', null, { method: 7, timestamp: s }, { method: 'otp', timestamp: 'x' }] }, false],
    ['no list', { amr: 'otp' }, false],
    ['no object', 7, false],
  ] as const)('%s', (_name, claims, want) => {
    expect(isRecentlyAuthenticated(token(claims), now)).toBe(want)
  })

  it.each(['', 'x', 'a.b.c', 'a.%%%.c'])('not a token: %j', (text) => {
    expect(isRecentlyAuthenticated(text, now)).toBe(false)
  })
})
