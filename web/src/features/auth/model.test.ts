import { describe, expect, it } from 'vitest'
import { failureOf, parseCallback, staysWith } from './callback'
import { parseInvitation, statusOf } from './invitation'
import { explain, looksLikeEmail, passwordStrength } from './model'

const at = (rest: string) => parseCallback(`https://muster.example/auth/callback${rest}`)

const tokens = (claims: object | null) => `#access_token=h.${btoa(JSON.stringify(claims))}.s&refresh_token=r`

describe('the authentication callback (§2.4)', () => {
  it('parses a code and the next page', () => {
    expect(at('?code=abc&next=%2Fnetwork')).toEqual({ kind: 'code', code: 'abc', next: '/network' })
    expect(at('?code=abc')).toMatchObject({ next: '/feed' })
  })

  it.each(['https://evil.example', '//evil.example', '/login'])('never redirects to %s', (next) => {
    expect(at(`?code=abc&next=${encodeURIComponent(next)}`)).toMatchObject({ next: '/feed' })
  })

  it('parses a token hash; recovery and invitation lead to choosing a password (§7.47)', () => {
    expect(at('?token_hash=h&type=email')).toEqual({ kind: 'token-hash', tokenHash: 'h', type: 'email', next: '/feed' })
    expect(at('?token_hash=h&type=recovery&next=/blog')).toMatchObject({ next: '/new-password' })
    expect(at('?token_hash=h&type=invite')).toMatchObject({ next: '/new-password' })
    expect(at('?token_hash=h&type=nonsense')).toEqual({ kind: 'nothing', next: '/feed' })
  })

  it('parses tokens and errors from the fragment', () => {
    expect(at('#access_token=a&refresh_token=r&type=recovery')).toEqual({
      kind: 'tokens',
      accessToken: 'a',
      refreshToken: 'r',
      next: '/new-password',
    })
    expect(at('#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid')).toEqual({
      kind: 'error',
      code: 'otp_expired',
      message: 'Email link is invalid',
      next: '/feed',
    })
  })

  it.each([
    ['?code=abc', true],
    ['#message=accepted', true],
    ['?token_hash=h&type=email', false],
    [tokens({ sub: 'me', exp: 2000 }), true],
    [tokens({ sub: 'me', exp: 900 }), false],
    [tokens({ sub: 'me' }), false],
    [tokens({ sub: 'other', exp: 2000 }), false],
    ['#access_token=junk&refresh_token=r', false],
    [tokens(null), false],
  ])('a signed-in member stays who they are after %s: %s', (link, want) => {
    expect(staysWith(at(link), 'me', 1_000_000)).toBe(want)
  })

  it('recognizes the first of the two links that change an address, whatever its message', () => {
    expect(at('#message=Confirmation+link+accepted').kind).toBe('first-of-two')
    expect(at('#message=').kind).toBe('first-of-two')
    expect(at('?message=of+somebody+else').kind).toBe('nothing')
    expect(at('#message=x&error=access_denied').kind).toBe('error')
  })

  it.each([
    ['otp_expired', 'expired'],
    ['access_denied', 'expired'],
    ['bad_code_verifier', 'other-browser'],
    ['flow_state_not_found', 'other-browser'],
    ['unexpected_failure', 'unknown'],
    [undefined, 'unknown'],
  ])('%s means %s', (code, want) => {
    expect(failureOf(code)).toBe(want)
  })
})

describe('an invitation (§2.6)', () => {
  it.each([
    ['invited', 'invited'],
    ['expired', 'expired'],
    ['used', 'used'],
    ['waiting', 'waiting'],
    [null, 'unknown'],
    ['toString', 'unknown'],
    [{}, 'unknown'],
  ])('the word %j of the database means %s', (word, want) => {
    expect(statusOf(word)).toBe(want)
  })

  it('takes its address from the link, lower-cased, and ignores invalid ones', () => {
    expect(parseInvitation('https://m.example/invitation?email=Dana@Example.org').email).toBe('dana@example.org')
    expect(parseInvitation('https://m.example/invitation?email=%3Cscript%3E').email).toBe('')
    expect(parseInvitation('https://m.example/invitation#error_code=otp_expired')).toEqual({
      email: '',
      token: '',
      expired: true,
    })
  })
})

describe('error messages of the auth service', () => {
  it.each([
    [{ code: 'invalid_credentials', message: 'Invalid login credentials' }, /don’t match/],
    [{ code: 'email_not_confirmed', message: '' }, /haven’t confirmed/],
    [{ code: 'over_email_send_rate_limit', message: '' }, /Too many/],
    [{ status: 429, message: 'x' }, /Too many/],
    [{ name: 'AuthRetryableFetchError', status: 0, message: 'Failed to fetch' }, /Can’t reach Muster/],
    [{ code: 'something_new', message: 'The server’s words' }, /The server’s words/],
    [{ message: ' ' }, /Please try again/],
  ])('%j is explained', (failure, want) => {
    expect(explain(failure)).toMatch(want)
  })

  it('an e-mail address has one @ and no whitespace', () => {
    expect(['a@b', ' a@b.co ', 'a b@c', 'a@', '@b', 'a@b@c'].map(looksLikeEmail)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('the strength meter', () => {
  it.each([
    ['short', 'a1B!', 0],
    ['one letter', 'aaaaaaaaaaaa', 1],
    ['a row of digits', '1234567890', 1],
    ['the obvious', 'password1', 1],
    ['words', 'ladder-kettle-violet', 4],
    ['mixed', 'Tr4ffic!cone', 3],
  ])('%s: %s', (_name, password, want) => {
    expect(passwordStrength(password)).toBe(want)
  })

  it('the user’s own name lowers the score', () => {
    expect(passwordStrength('danawhitcomb', ['Dana Whitcomb', 'dana@example.org'])).toBeLessThan(2)
    expect(passwordStrength('danawhitcomb')).toBeGreaterThan(1)
  })
})
