import { describe, expect, it } from 'vitest'
import { headingId, parseTags, type PostRow, readingMinutes, summaryOf, toArticle } from './model'

const row: PostRow = {
  id: '1',
  user_id: 'dana',
  title: 'Ladders',
  summary: null,
  content: 'One two three',
  category: null,
  featured_image: null,
  slug: null,
  tags: null,
  created_at: '2025-01-05T00:00:00Z',
}

describe('an article', () => {
  it.each([
    ['an array', ['a', 'b'], ['a', 'b']],
    ['a JSON string', '["a","b"]', ['a', 'b']],
    ['empty', '', []],
    ['null', null, []],
    ['broken JSON', '["a"', []],
    ['a JSON string of a string', '"a"', []],
    ['other things inside', ['a', 3, null, ' '], ['a']],
  ])('§3.39 tags as %s', (_name, tags, want) => {
    expect(parseTags(tags)).toEqual(want)
  })

  it.each([
    [0, 1],
    [1, 1],
    [200, 1],
    [201, 2],
    [1000, 5],
  ])('§9.23 %i words read in %i min', (words, want) => {
    expect(readingMinutes('word '.repeat(words))).toBe(want)
  })

  it('§5.23, §9.24 without a summary the first 150 characters are used', () => {
    expect(summaryOf('Given', 'x'.repeat(400))).toBe('Given')
    expect(summaryOf(null, 'x'.repeat(400))).toBe('x'.repeat(150))
    expect(summaryOf('  ', '# Title\n\nSome **bold** [link](https://x.example).')).toBe('Title Some bold link.')
    expect(summaryOf(null, 'Before\n\n| a | b |\n|---|---|\n\n```\ncode\n```\n\nAfter <b>it</b>')).toBe(
      'Before After it',
    )
  })

  it('says with an ellipsis that the summary goes on', () => {
    expect(toArticle({ ...row, content: 'word '.repeat(60) }).summary).toMatch(/^(word )+word…$/)
    expect(toArticle({ ...row, content: 'Short.' }).summary).toBe('Short.')
  })

  it('links headings by their words', () => {
    expect(headingId('What we saw, from the yard?')).toBe('what-we-saw-from-the-yard')
  })

  it('§3.39 falls back to Firefighting, and to its id when it has no slug', () => {
    expect(toArticle(row)).toMatchObject({ category: 'Firefighting', slug: '1', readingMinutes: 1 })
  })

  const cover = '/storage/v1/object/public/article-covers/a/b.jpg'
  it.each([
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    '//evil.example/x.png',
    'https://pictures.example/a.jpg',
    '/fine.png',
  ])('§14.2 never shows a picture from %s', (url) => {
    expect(toArticle({ ...row, featured_image: url }).featuredImage).toBeNull()
    expect(toArticle({ ...row, featured_image: cover }).featuredImage).toBe(cover)
  })
})
