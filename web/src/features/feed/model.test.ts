import { describe, expect, test } from 'vitest'
import {
  authorName,
  type Comment,
  isLink,
  mentionAt,
  namedIn,
  newestOfOthers,
  opensUpward,
  piecesOf,
  type Post,
  threadsOf,
} from './model'

const comment = (id: string, parent_id: string | null = null): Comment => ({
  id,
  parent_id,
  post_id: 'p',
  user_id: 'u',
  content: id,
  reaction_count: 0,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  author: null,
  mine: [],
  mentions: [],
})

describe('threads', () => {
  test('replies are grouped under their root, in the order they were written', () => {
    const got = threadsOf([comment('a'), comment('b'), comment('a1', 'a'), comment('a2', 'a1'), comment('b1', 'b')])
    expect(got.map((one) => [one.comment.id, one.answers.map(({ id }) => id)])).toEqual([
      ['a', ['a1', 'a2']],
      ['b', ['b1']],
    ])
  })

  test('a reply whose parent is missing is shown at the top level', () => {
    expect(threadsOf([comment('x', 'gone')]).map((one) => one.comment.id)).toEqual(['x'])
  })
})

describe('§1.7 §3.17 names in texts', () => {
  const ann = { id: '1', name: 'Ann' }
  const annLee = { id: '2', name: 'Ann Lee' }

  test('the longest name wins, the rest is plain text', () => {
    expect(piecesOf('Ask @Ann Lee, or @Ann.', [ann, annLee])).toEqual([
      { text: 'Ask ' },
      { mention: annLee },
      { text: ', or ' },
      { mention: ann },
      { text: '.' },
    ])
  })

  test('markup stays text', () => {
    expect(piecesOf('<b>@Bob</b>', [])).toEqual([{ text: '<b>@Bob</b>' }])
  })

  test('only members still named in the text are mentioned, once each', () => {
    expect(namedIn('@Ann and @Ann', [ann, annLee])).toEqual([ann])
  })

  test.each([
    ['@ja', 3, { from: 0, term: 'ja' }],
    ['hey @Dana Pe', 12, { from: 4, term: 'Dana Pe' }],
    ['mail me@example', 15, null],
    ['@', 1, null],
    ['@ja and more', 3, { from: 0, term: 'ja' }],
    ['@one two three', 14, null],
  ])('%s at %i', (text, caret, want) => expect(mentionAt(text, caret)).toEqual(want))
})

test('links are http(s) URLs only', () => {
  expect(isLink('javascript:alert(1)')).toBe(false)
  expect(isLink('https://x.example')).toBe(true)
})

describe('posts that are new since the list was fetched', () => {
  const post = (user_id: string | null, created_at: string) => ({ user_id, created_at }) as Post
  test('are newer than the newest by others: the member’s own posts on top hide nothing', () => {
    expect(newestOfOthers([post('me', '3'), post('ann', '2'), post('ben', '1')], 'me')).toBe('2')
    expect(newestOfOthers([post('me', '3'), post(null, '2')], 'me')).toBe('2')
  })

  test('are newer than the last row when there is none by others, and all of them when there is none', () => {
    expect(newestOfOthers([post('me', '3'), post('me', '1')], 'me')).toBe('1')
    expect(newestOfOthers([], 'me')).toBe('1970-01-01T00:00:00Z')
  })
})

test.each([
  [{ top: 100, bottom: 140 }, 844, false],
  [{ top: 660, bottom: 712 }, 844, true],
  [{ top: 20, bottom: 60 }, 200, false], // little room on either side: downwards
])('the list of a box at %j of %d px', (box, height, want) => expect(opensUpward(box, height)).toBe(want))

test.each([
  [{ author: null, user_id: null }, 'Former member'],
  [{ author: null, user_id: 'hidden' }, 'Anonymous'],
])('who has no name: %j', (post, want) => expect(authorName(post)).toBe(want))
