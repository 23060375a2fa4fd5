import type { Session } from '@supabase/supabase-js'
import { describe, expect, it } from 'vitest'
import { needsSecondFactor } from '@/api/session/second-factor'
import { codeOf, grouped, passkeySupport } from './model'

const token = (claims: object) => `h.${btoa(JSON.stringify(claims))}.s`
const session = (claims: object | string, status?: string) =>
  ({
    access_token: typeof claims === 'string' ? claims : token(claims),
    user: { id: 'dana', factors: status ? [{ id: 'f', factor_type: 'totp', status }] : undefined },
  }) as unknown as Session

const amr = (method: string) => [{ method, timestamp: 1 }]

describe('what a session still has to give (§15.2)', () => {
  it.each([
    ['no factor', session({ aal: 'aal1', amr: amr('password') }), false],
    ['an app that was not verified', session({ aal: 'aal1', amr: amr('password') }, 'unverified'), false],
    ['a password alone', session({ aal: 'aal1', amr: amr('password') }, 'verified'), true],
    ['the factor was given', session({ aal: 'aal2', amr: amr('totp') }, 'verified'), false],
    ['a passkey', session({ aal: 'aal1', amr: amr('passkey') }, 'verified'), false],
    ['a token that says nothing', session({}, 'verified'), true],
    ['claims of other shapes', session({ aal: 2, amr: ['passkey', null, { method: 1 }] }, 'verified'), true],
    ['no token at all', session('not a token', 'verified'), true],
  ])('%s', (_name, given, want) => {
    expect(needsSecondFactor(given)).toBe(want)
  })
})

describe('codes and keys (§15.1)', () => {
  it.each([
    ['123456', '123456'],
    [' 123 456 ', '123456'],
    ['12345', null],
    ['1234567', null],
    ['12a456', null],
    ['１２３４５６', null],
  ])('%s', (typed, want) => {
    expect(codeOf(typed)).toBe(want)
  })

  it('a key is shown in groups of four', () => {
    expect(grouped('ABCDEFGHIJ')).toBe('ABCD EFGH IJ')
    expect(grouped('')).toBe('')
  })
})

describe('where passkeys can be made (§15.1)', () => {
  it.each([
    ['https://muster.example/x', true, { kind: 'possible' }],
    ['https://muster.example/x', false, { kind: 'unsupported' }],
    ['http://127.0.0.1:54321/settings', true, { kind: 'address', instead: 'http://localhost:54321/settings' }],
    ['http://192.0.2.7/settings', true, { kind: 'address', instead: null }],
    ['http://[::1]:8000/s', true, { kind: 'address', instead: 'http://localhost:8000/s' }],
  ])('%s', (href, hasWebAuthn, want) => {
    expect(passkeySupport(new URL(href), hasWebAuthn)).toEqual(want)
  })
})
