import { describe, expect, it } from 'vitest'
import { issuesOf } from '@/test/issues-of'
import { articleSchema } from './article-schema'
import { coverShape, emptyDraft, isSlug, isUploaded, slugOf, tagsOf } from './model'

const invalidFields = (draft: object) => Object.keys(issuesOf(articleSchema, draft))

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

it('tags are trimmed and deduplicated', () => expect(tagsOf('a, b,, a ,c')).toEqual(['a', 'b', 'c']))

describe('an article’s form', () => {
  const draft = { ...emptyDraft, title: ' A ', slug: 'a', content: 'x', tags: 'b, b' }
  it('converts to a row; empty fields are null', () =>
    expect(articleSchema.parse(draft)).toEqual({
      title: 'A',
      slug: 'a',
      summary: null,
      category: 'Firefighting',
      tags: ['b'],
      featured_image: null,
      content: 'x',
      is_featured: false,
    }))
  it.each([
    [{}, []],
    [{ title: ' ' }, ['title']],
    [{ slug: 'A b', content: '\n' }, ['slug', 'content']],
    [{ image: 'javascript:alert(1)' }, ['image']],
    [{ image: '//elsewhere.example/x.png' }, ['image']],
    [{ image: 'https://pictures.example/x.png' }, ['image']],
    [{ tags: 'a,b,c,d,e,f,g,h,i,j,k,l,m' }, ['tags']],
  ])('%j: wrong are %j', (changes, want) => expect(invalidFields({ ...draft, ...changes })).toEqual(want))
})

describe('the cover of an article', () => {
  const image = (text: string) => invalidFields({ ...emptyDraft, title: 'T', slug: 't', content: 'c', image: text })
  it.each([
    ['', []],
    ['https://pictures.test/a.jpg', ['image']],
    ['/covers/a.webp', []],
    ['data:image/jpeg;base64,AAAA', []],
    ['javascript:alert(1)', ['image']],
    ['data:text/html;base64,AAAA', ['image']],
    ['//elsewhere.test/a.jpg', ['image']],
  ])('%j', (text, want) => expect(image(text)).toEqual(want))

  it('is stored in fewer characters than the database allows', () => {
    expect(coverShape.mostChars).toBeLessThan(200_000)
    expect([isUploaded('data:image/png;base64,'), isUploaded('https://x.test/data:image/')]).toEqual([true, false])
  })
})
