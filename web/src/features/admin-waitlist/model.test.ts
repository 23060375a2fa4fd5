import { describe, expect, it } from 'vitest'
import { csvCell, parseQuizAnswers, parseWaitlistView, toCsv } from './model'

describe('CSV', () => {
  it.each([
    ['plain', '"plain"'],
    ['a "b", c', '"a ""b"", c"'],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['  =1', `"'  =1"`],
    ['\t=1', `"'\t=1"`],
    ['\rtext', `"'\rtext"`],
    ['＝1', `"'＝1"`],
    ['a=1', '"a=1"'],
    [null, '""'],
  ])('%j is no formula', (value, want) => expect(csvCell(value)).toBe(want))

  it('has a header row and CRLF', () => expect(toCsv(['a', 'b'], [['1', null]])).toBe('"a","b"\r\n"1",""\r\n'))
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
