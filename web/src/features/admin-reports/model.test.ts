import { describe, expect, it } from 'vitest'
import { decisionOf, historyOf, missingOf, noticeOf, reasonsOf, wordsOf } from './model'

describe('§13.2 a decision', () => {
  it.each([
    ['dismiss', '', '', { act: 'dismiss', reason: '', days: null }],
    ['remove', ' Names a patient ', '', { act: 'remove', reason: 'Names a patient', days: null }],
    ['remove', '  ', '', null],
    ['warn', 'Tone', '3', { act: 'warn', reason: 'Tone', days: null }],
    ['suspendFor', 'Tone', '3', { act: 'suspend', reason: 'Tone', days: 3 }],
    ['suspendFor', 'Tone', '0', null],
    ['suspendFor', 'Tone', '1.5', null],
    ['suspendFor', 'Tone', '', null],
    ['suspendFor', 'Tone', '366', null],
    ['suspend', 'Tone', '', { act: 'suspend', reason: 'Tone', days: null }],
  ] as const)('%s with reason "%s" and days "%s"', (choice, reason, days, want) => {
    expect(decisionOf(choice, reason, days)).toEqual(want)
  })
})

describe('§13.2 what the member is told', () => {
  const now = Date.UTC(2026, 10, 23, 23)
  it.each([
    ['dismiss', '', null, null],
    ['remove', 'Names a patient', null, ['Your post was removed', 'Reason: Names a patient. You can appeal.']],
    ['warn', 'Mind the tone!', null, ['A warning about your post', 'Reason: Mind the tone! You can appeal.']],
    ['suspend', 'Spam', null, ['Your account is suspended', 'Reason: Spam. You can appeal.']],
    ['suspend', 'Spam', 8, ['Your account is suspended until December 1, 2026', 'Reason: Spam. You can appeal.']],
  ] as const)('%s, %s, %s days', (act, reason, days, want) => {
    const got = noticeOf('post', { act, reason, days }, now)
    expect(got && [got.title, got.text]).toEqual(want)
  })
  it('names what is missing, each at its field', () => {
    expect(missingOf('suspendFor', ' ', '0')).toEqual({ reason: true, days: true })
    expect(missingOf('suspend', 'Spam', '0')).toEqual({ reason: false, days: false })
    expect(missingOf('dismiss', '', '')).toEqual({ reason: false, days: false })
  })
})

describe('§13.2 what the queue gives as JSON', () => {
  it('sorts reasons by how often', () => {
    expect(reasonsOf({ spam: 1, harassment: 3 })).toEqual([
      ['harassment', 3],
      ['spam', 1],
    ])
  })
  it('is tolerant of what is missing', () => {
    expect([reasonsOf(null), wordsOf(null), historyOf('x')]).toEqual([[], [], []])
    expect(wordsOf([{ note: 'Hi' }, null])).toEqual([{ reporterId: '', reporter: '', reason: '', note: 'Hi', at: '' }])
  })
})
