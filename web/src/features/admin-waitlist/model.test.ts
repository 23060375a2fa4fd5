import { describe, expect, it } from 'vitest'
import { isAddress, parseQuizAnswers, parseWaitlistView } from './model'

it.each([
  ['pat@station.example', true],
  ['pat', false],
  ['pat @station.example', false],
  ['a@b@c', false],
  [`${'a'.repeat(250)}@b.c`, true],
  [`${'a'.repeat(251)}@b.c`, false],
])('%s can be invited: %s', (text, want) => {
  expect(isAddress(text)).toBe(want)
})

describe('list views from the URL', () => {
  it('unknown values mean the defaults', () => {
    expect(parseWaitlistView(new URLSearchParams('status=banned&page=-3&order=x'))).toEqual({
      search: '',
      standing: '',
      kind: '',
      years: '',
      page: 1,
      oldestFirst: false,
      inviting: false,
    })
  })
})

describe('§3.23 quiz answers', () => {
  it('are parsed from JSON text', () => {
    const json = '{"connection_platforms":["reddit",3],"platform_frustrations":"Noise","platform_wishlist":null}'
    expect(parseQuizAnswers(json)).toEqual({
      platforms: ['reddit'],
      platformOther: '',
      frustrations: 'Noise',
      wishlist: '',
    })
  })
  it.each(['', 'null', '[', '"x"', null])('%j contains no answers', (json) =>
    expect(parseQuizAnswers(json)).toEqual({ platforms: [], platformOther: '', frustrations: '', wishlist: '' }),
  )
})
