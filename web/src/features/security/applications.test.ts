import { describe, expect, it } from 'vitest'
import { authorizationOf, isSamePlace, placeOf, safeTarget, scopeWords, shownName } from './applications'
import { applicationsCopy as copy } from './applications-copy'

describe('§15.6 what an application says of itself', () => {
  it.each([
    ['?authorization_id=4n9JxAbc', '4n9JxAbc'],
    ['', null],
    ['?authorization_id=', null],
    ['?authorization_id=../../user', null],
    ['?authorization_id=a%2Fb', null],
    [`?authorization_id=${'a'.repeat(65)}`, null],
  ])('only an id is asked for: %s', (search, want) => {
    expect(authorizationOf(search)).toBe(want)
  })

  it.each([
    ['Drill Board', 'Drill Board'],
    [undefined, copy.unnamed],
    ['  \u200b\n ', copy.unnamed],
    ['Mus\u202eter\u2028Security', 'Mus ter Security'],
    ['x'.repeat(200), `${'x'.repeat(60)}…`],
    ['👩‍🚒'.repeat(3), '👩 🚒👩 🚒👩 🚒'],
  ])('its name is plain text on one line: %j', (name, want) => {
    expect(shownName(name)).toBe(want)
  })

  it.each([
    ['https://board.example/cb?code=1', 'board.example'],
    ['https://board.example:8443/cb', 'board.example:8443'],
    ['https://muѕter.example/', 'xn--muter-i2e.example'],
    ['http://127.0.0.1:33418/cb', copy.consent.thisDevice],
    ['http://localhost:1/', copy.consent.thisDevice],
    ['http://[::1]:1/', copy.consent.thisDevice],
    ['com.example.app://cb', copy.consent.installed('com.example.app')],
  ])('where it takes the browser is named: %s', (address, want) => {
    const target = safeTarget(address)
    expect(target && placeOf(target)).toBe(want)
  })

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,hi',
    'file:///etc/passwd',
    'blob:https://a.test/1',
    'http://board.example/cb',
    'https://muster.test@board.example/',
    '/relative',
    '',
  ])('no browser is taken to %j', (address) => {
    expect(safeTarget(address)).toBeNull()
  })

  it('an answer goes where the member was told', () => {
    const at = (address: string) => new URL(address)
    expect(isSamePlace(at('https://a.test/cb?code=1'), at('https://a.test/cb'))).toBe(true)
    expect(isSamePlace(at('https://b.test/cb'), at('https://a.test/cb'))).toBe(false)
    expect(isSamePlace(at('evil://a.test/cb'), at('https://a.test/cb'))).toBe(false)
  })

  it('scopes are said in words, each once', () => {
    expect(scopeWords(['openid', 'openid', '', 'email', 'constructor'], copy.consent.scopes)).toEqual([
      'Know that it’s you',
      'See your email address',
      'constructor',
    ])
  })
})
