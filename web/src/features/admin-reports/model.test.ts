import { describe, expect, it } from 'vitest'
import { decisionOf, historyOf, reasonsOf, wordsOf } from './model'

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
