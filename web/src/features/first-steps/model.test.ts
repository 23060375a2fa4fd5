import { describe, expect, it } from 'vitest'
import { stepsOf } from './model'

const nothing = {
  hasPhoto: false,
  hasRank: false,
  hasCertification: false,
  people: 0,
  asked: 0,
  hasRead: false,
  isFinished: false,
  isHidden: false,
}

describe('§16.5 the first steps', () => {
  const names = (row: Partial<typeof nothing>) =>
    stepsOf({ ...nothing, ...row }).map(({ name, isDone }) => (isDone ? `${name} done` : name))

  it('begin with the photo', () => {
    expect(names({})).toEqual(['photo', 'rank', 'certification', 'people', 'lesson'])
  })

  it('sink to the bottom when they are done; two people are not three, and asking is not connecting', () => {
    expect(names({ hasPhoto: true, hasRead: true, people: 2, asked: 5 })).toEqual([
      'rank',
      'certification',
      'people',
      'photo done',
      'lesson done',
    ])
    expect(names({ people: 3 }).at(-1)).toBe('people done')
  })
})
