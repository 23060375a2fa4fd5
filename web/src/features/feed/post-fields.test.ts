import { describe, expect, test } from 'vitest'
import { issuesOf } from '@/test/issues-of'
import { copy } from './copy'
import { type Post } from './model'
import { fieldsOf, isWritten, noFields, parseDraft, rowOf } from './post-fields'
import { postSchema } from './post-schema'

const { empty, badLink, badTimes } = copy.compose

describe('a draft', () => {
  test('is stored as a whole', () => {
    const draft = { ...noFields('training'), content: 'Bring a mask', title: 'Smoke', starts: '2027-01-05T08:00' }
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft)
  })

  test.each([null, '', 'a text of before', '[]', '7', 'null', '{"content":7}', '{"kind":"lesson"}', '{"content":""}'])(
    'of %s is none',
    (kept) => expect(parseDraft(kept)).toBeNull(),
  )

  test('accepts only strings and known kinds', () => {
    const kept = '{"content":"x","kind":"<b>","title":{"a":1},"__proto__":{"image":"y"},"user_id":"someone"}'
    expect(parseDraft(kept)).toEqual({ ...noFields(), content: 'x' })
  })

  test('a kind alone counts as empty', () => expect(isWritten(noFields('question'))).toBe(false))
})

describe('converting between a post and its form', () => {
  const training: Post = {
    id: 'p',
    user_id: 'u',
    kind: 'training',
    title: 'Smoke',
    content: 'Bring a mask',
    featured_image: null,
    starts_at: '2027-01-05T08:00:00.000Z',
    ends_at: '2027-01-05T16:00:00.000Z',
    location: 'Station 2',
    link: 'https://x.example',
    is_command_post: false,
    comment_count: 0,
    reaction_count: 0,
    created_at: '2027-01-01T00:00:00Z',
    updated_at: '2027-01-01T00:00:00Z',
    author: null,
    mine: [],
  }

  test('is lossless in every time zone', () => {
    const { kind, title, content, featured_image, starts_at, ends_at, location, link } = training
    expect(postSchema.parse(fieldsOf(training))).toEqual({
      kind,
      title,
      content,
      featured_image,
      starts_at,
      ends_at,
      location,
      link,
    })
  })

  test('fields that a kind does not have are not sent', () => {
    expect(rowOf({ ...fieldsOf(training), kind: 'lesson' })).toMatchObject({
      starts_at: null,
      location: null,
      link: null,
    })
  })

  test.each([
    [{ content: ' \n' }, { content: empty }],
    [{ link: 'javascript:alert(1)' }, { link: badLink }],
    [{ starts: '2027-01-05T08:00', ends: '2027-01-05T07:00' }, { ends: badTimes }],
    [{}, {}],
  ])('%j is rejected with %j', (change, want) =>
    expect(issuesOf(postSchema, { ...fieldsOf(training), ...change })).toEqual(want),
  )
})
