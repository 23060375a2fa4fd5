import { describe, expect, it } from 'vitest'
import {
  csvCell,
  emptyDraft,
  isSlug,
  niceTop,
  parseMembersView,
  parseQuizAnswers,
  parseWaitlistView,
  previewOf,
  rowOf,
  runningTotals,
  slugOf,
  tagsOf,
  toCsv,
  wrongIn,
} from './model'

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

  it('has a head and CRLF', () => expect(toCsv(['a', 'b'], [['1', null]])).toBe('"a","b"\r\n"1",""\r\n'))
})

describe('views from addresses', () => {
  it('unknown words mean the defaults', () => {
    expect(parseWaitlistView(new URLSearchParams('status=banned&page=-3&order=x'))).toEqual({
      search: '',
      standing: '',
      kind: '',
      years: '',
      page: 1,
      oldestFirst: false,
    })
    expect(parseMembersView(new URLSearchParams('sort=drop&standing=gods&page=abc'))).toEqual({
      search: '',
      standing: 'all',
      sort: 'joined',
      descending: true,
      page: 1,
    })
  })

  it('says what it reads', () => {
    const view = parseMembersView(new URLSearchParams('sort=name&order=up&page=4&standing=admins&search=ada'))
    expect(view).toEqual({ search: 'ada', standing: 'admins', sort: 'name', descending: false, page: 4 })
  })
})

describe('§3.23 quiz answers', () => {
  it('come from JSON text', () => {
    const json = '{"connection_platforms":["reddit",3],"platform_frustrations":"Noise","platform_wishlist":null}'
    expect(parseQuizAnswers(json)).toEqual({
      platforms: ['reddit'],
      platformOther: '',
      frustrations: 'Noise',
      wishlist: '',
    })
  })
  it.each(['', 'null', '[', '"x"', null])('%j is no answer', (json) =>
    expect(parseQuizAnswers(json)).toEqual({ platforms: [], platformOther: '', frustrations: '', wishlist: '' }),
  )
})

describe('slugs', () => {
  it.each([
    ['What the ridge taught us', 'what-the-ridge-taught-us'],
    ["  Crew's Café – 2nd Shift! ", 'crews-cafe-2nd-shift'],
    ['日本', ''],
    ['a'.repeat(130), 'a'.repeat(120)],
  ])('%j', (title, want) => expect(slugOf(title)).toBe(want))
  it.each([
    ['a-b', true],
    ['-a', false],
    ['a--b', false],
    ['A', false],
    ['', false],
  ])('%j is one: %j', (text, want) => expect(isSlug(text)).toBe(want))
})

it('tags are trimmed and each once', () => expect(tagsOf('a, b,, a ,c')).toEqual(['a', 'b', 'c']))

it('§9.16 a preview has 100 characters, counted as people do', () => {
  expect(previewOf('a'.repeat(100))).toBe('a'.repeat(100))
  expect(previewOf('🚒'.repeat(101))).toBe(`${'🚒'.repeat(100)}…`)
})

it('running totals end at what there is', () => expect(runningTotals([1, 2, 3], 10)).toEqual([5, 7, 10]))

it.each([
  [0, 4],
  [3, 4],
  [5, 8],
  [934, 1000],
  [1001, 2000],
  [17, 20],
])('an axis for %d ends at %d', (max, want) => expect(niceTop(max)).toBe(want))

describe('an article’s form', () => {
  const draft = { ...emptyDraft, title: ' A ', slug: 'a', content: 'x', tags: 'b, b' }
  it('becomes a row; what is empty is null', () =>
    expect(rowOf(draft, true)).toEqual({
      title: 'A',
      slug: 'a',
      summary: null,
      category: 'Firefighting',
      tags: ['b'],
      featured_image: null,
      content: 'x',
      is_public_blog: true,
    }))
  it.each([
    [{}, []],
    [{ title: ' ' }, ['title']],
    [{ slug: 'A b', content: '\n' }, ['slug', 'content']],
    [{ image: 'javascript:alert(1)' }, ['image']],
    [{ image: '//elsewhere.example/x.png' }, ['image']],
    [{ image: 'https://pictures.example/x.png' }, []],
    [{ tags: 'a,b,c,d,e,f,g,h,i,j,k,l,m' }, ['tags']],
  ])('%j: wrong are %j', (changes, want) => expect(wrongIn({ ...draft, ...changes })).toEqual(want))
})
