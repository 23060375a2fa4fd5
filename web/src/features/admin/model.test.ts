import { describe, expect, it } from 'vitest'
import {
  csvCell,
  coverShape,
  emptyDraft,
  isSlug,
  isUploaded,
  niceTop,
  parseMembersView,
  parsePeriod,
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
  [1001, 1200],
  [42, 60],
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
      is_featured: false,
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

describe('the period of the dashboard', () => {
  // 2026-03-12 is a Thursday; its week began on March 9.
  const period = (address: string) => parsePeriod(new URLSearchParams(address), '2026-03-12')
  it.each([
    ['', { weeks: 12, first: '2025-12-22', last: '2026-03-09' }],
    ['weeks=4', { weeks: 4, first: '2026-02-16', last: '2026-03-09' }],
    ['weeks=9999', { weeks: 12, first: '2025-12-22', last: '2026-03-09' }],
    ['from=2026-02-18&to=2026-03-01', { weeks: 4, first: '2026-02-16', last: '2026-02-23' }],
    ['from=2026-02-16', { weeks: 4, first: '2026-02-16', last: '2026-03-09' }],
    ['from=2026-03-12&to=2026-01-01', { weeks: 11, first: '2025-12-29', last: '2025-12-29' }],
    ['from=2031-01-01&to=2032-01-01', { weeks: 1, first: '2026-03-09', last: '2026-03-09' }],
    ['from=1970-01-01', { weeks: 157, first: '2023-03-13', last: '2026-03-09' }],
    ['from=2026-13-45&to=x', { weeks: 12, first: '2025-12-22', last: '2026-03-09' }],
    ["from='; drop table weeks", { weeks: 12, first: '2025-12-22', last: '2026-03-09' }],
  ])('%j', (address, want) => expect(period(address)).toEqual(want))
})

describe('the cover of an article', () => {
  const image = (text: string) => wrongIn({ ...emptyDraft, title: 'T', slug: 't', content: 'c', image: text })
  it.each([
    ['', []],
    ['https://pictures.test/a.jpg', []],
    ['/covers/a.webp', []],
    ['data:image/jpeg;base64,AAAA', []],
    ['javascript:alert(1)', ['image']],
    ['data:text/html;base64,AAAA', ['image']],
    ['//elsewhere.test/a.jpg', ['image']],
  ])('%j', (text, want) => expect(image(text)).toEqual(want))

  it('is kept in fewer characters than the database takes', () => {
    expect(coverShape.mostChars).toBeLessThan(200_000)
    expect([isUploaded('data:image/png;base64,'), isUploaded('https://x.test/data:image/')]).toEqual([true, false])
  })
})
