import { describe, expect, it } from 'vitest'
import { issuesOf } from '@/test/issues-of'
import { articleSchema } from './article-schema'
import { emptyDraft, isSlug, slugOf, tagsOf } from './model'

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
    [{ tags: 'a,b,c,d,e,f,g,h,i,j,k,l,m' }, ['tags']],
  ])('%j: wrong are %j', (changes, want) => expect(invalidFields({ ...draft, ...changes })).toEqual(want))
})
