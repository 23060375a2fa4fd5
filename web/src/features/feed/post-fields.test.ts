import { describe, expect, test } from 'vitest'
import { issuesOf } from '@/test/issues-of'
import { copy } from './copy'
import { fileAt } from '@/lib/files/model'
import { picturesOf, type Post } from './model'
import { fieldsOf, isWritten, noFields, parseDraft, rowOf } from './post-fields'
import { postSchema } from './post-schema'

const [first, second] = ['a', 'b'].map((name) => `/storage/v1/object/authenticated/post-pictures/u/${name}.jpg`) as [
  string,
  string,
]

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

  test('§14.6 keeps its pictures with their descriptions, and nothing that is none', () => {
    const draft = { ...noFields(), pictures: [{ ...fileAt(first), alt: 'A ladder' }] }
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft)
    const others = [{ ...fileAt('https://tracker.test/a.gif') }, { address: first }, 'x', null, { address: 7 }]
    expect(parseDraft(JSON.stringify({ content: 'x', pictures: others }))).toEqual({ ...noFields(), content: 'x' })
  })

  test('§11.4 keeps its tags, five at most', () => {
    const tags = ['a', 'B', 7, 'b', 'c', 'd', 'e', 'f']
    expect(parseDraft(JSON.stringify({ tags }))).toEqual({ ...noFields(), tags: ['a', 'b', 'c', 'd', 'e'] })
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
    tags: ['smoke'],
    files: [
      { ...fileAt(second), alt: 'A hose', position: 2 },
      { ...fileAt(first), alt: 'A ladder', position: 1 },
    ],
    starts_at: '2027-01-05T08:00:00.000Z',
    ends_at: '2027-01-05T16:00:00.000Z',
    location: 'Station 2',
    link: 'https://x.example',
    is_command_post: false,
    comment_count: 0,
    reaction_count: 0,
    use_count: 0,
    used: [],
    saved: [],
    created_at: '2027-01-01T00:00:00Z',
    updated_at: '2027-01-01T00:00:00Z',
    author: null,
    mine: [],
  }

  test('is lossless in every time zone', () => {
    const { kind, title, content, tags, starts_at, ends_at, location, link } = training
    expect(postSchema.parse(fieldsOf(training))).toEqual({
      kind,
      title,
      content,
      tags,
      pictures: picturesOf(training),
      starts_at,
      ends_at,
      location,
      link,
    })
  })

  test('§14.1 lists its pictures in their order', () =>
    expect(fieldsOf(training).pictures.map(({ address }) => address)).toEqual([first, second]))

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
