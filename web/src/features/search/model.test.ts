import { describe, expect, it } from 'vitest'
import { countLabel, excerptOf, isTab, piecesOf } from './model'

describe('§11.2 the excerpt of an article has no Markdown', () => {
  it.each([
    ['## The \ue000roof\ue001\n\n- **One** sign', 'The \ue000roof\ue001 One sign'],
    ['see [the \ue000roof\ue001](https://x.test/a) first', 'see the \ue000roof\ue001 first'],
    ['ends in [the \ue000roof\ue001](https://x.te', 'ends in the \ue000roof\ue001'],
    ['its plan](https://x.test) ... more of [a long', 'its plan ... more of a long'],
    ['\ue000roof\ue001 | 4 min | `no`', '\ue000roof\ue001 4 min no'],
    ['as he said [sic] *once*', 'as he said [sic] once'],
  ])('%j', (excerpt, want) => expect(excerptOf({ slug: 'a', excerpt })).toBe(want))

  it('leaves a post as its author wrote it', () =>
    expect(excerptOf({ slug: null, excerpt: '# not a *heading*' })).toBe('# not a *heading*'))
})

describe('§11.2 matches in an excerpt', () => {
  it.each([
    ['plain', [{ text: 'plain', isMatch: false }]],
    [
      'a \ue000truss\ue001 roof',
      [
        { text: 'a ', isMatch: false },
        { text: 'truss', isMatch: true },
        { text: ' roof', isMatch: false },
      ],
    ],
    [
      '\ue000one\ue001\ue000two\ue001',
      [
        { text: 'one', isMatch: true },
        { text: 'two', isMatch: true },
      ],
    ],
    [
      '<b>\ue000x\ue001</b>',
      [
        { text: '<b>', isMatch: false },
        { text: 'x', isMatch: true },
        { text: '</b>', isMatch: false },
      ],
    ],
    ['\ue000cut', [{ text: 'cut', isMatch: true }]],
    ['', []],
  ])('%j', (text, want) => {
    expect(piecesOf(text)).toEqual(want)
  })
})

it('§11.1 a tab of the address is one of six, and counts end at 99', () => {
  expect([isTab('posts'), isTab('trainings'), isTab('all'), isTab('none'), isTab(null)]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  expect([countLabel(undefined), countLabel(7), countLabel(100)]).toEqual([undefined, '7', '99+'])
})
