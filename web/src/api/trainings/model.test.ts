import { describe, expect, it } from 'vitest'
import { answerOf, byMonth, dateOf, dayParts, monthOf, placeOf, seatsLeft, timesOf, zoneName } from './model'

const now = new Date('2026-11-23T12:00:00Z')
const at = (starts_at: string, ends_at: string, time_zone: string) => ({ starts_at, ends_at, time_zone })

describe('§12.1 a training in words', () => {
  it.each([
    ['one day', at('2026-12-05T14:00:00Z', '2026-12-05T22:00:00Z', 'America/Chicago'), '8 AM to 4 PM', 'Central Time'],
    [
      'half hours',
      at('2026-12-16T01:00:00Z', '2026-12-16T02:30:00Z', 'America/Chicago'),
      '7 PM to 8:30 PM',
      'Central Time',
    ],
    [
      'two days, the next year',
      at('2027-01-16T16:30:00Z', '2027-01-18T01:30:00Z', 'America/Los_Angeles'),
      '8:30 AM to Sun, Jan 17, 2027, 5:30 PM',
      'Pacific Time',
    ],
  ])('%s', (_, training, times, zone) => {
    expect(timesOf(training, now)).toBe(times)
    expect(zoneName(training)).toBe(zone)
  })

  it('§12.5 counts months and days at the place, not at the reader', () => {
    const late = at('2027-01-01T04:00:00Z', '2027-01-01T05:00:00Z', 'America/New_York')
    expect(monthOf(late)).toBe('December 2026')
    expect(dayParts(late)).toEqual({ weekday: 'Thu', day: '31', month: 'Dec' })
    expect(dateOf(late.starts_at, late.time_zone, now)).toBe('Thu, Dec 31')
    const after = at('2027-01-02T04:00:00Z', '2027-01-02T05:00:00Z', 'UTC')
    expect(byMonth([late, after]).map(({ month, trainings }) => [month, trainings.length])).toEqual([
      ['December 2026', 1],
      ['January 2027', 1],
    ])
  })

  it('says where', () => {
    expect(placeOf({ is_online: true, place: null, state: null })).toBe('Online')
    expect(placeOf({ is_online: false, place: 'Station 9', state: 'OH' })).toBe('Station 9, Ohio')
  })
})

describe('§12.2 seats and answers', () => {
  it.each([
    ['no limit', { seats: null, going_count: 9, is_full: false }, null],
    ['some left', { seats: 24, going_count: 18, is_full: false }, { left: 6, isFull: false, percent: 75 }],
    ['full', { seats: 2, going_count: 2, is_full: true }, { left: 0, isFull: true, percent: 100 }],
    [
      'more go than there are seats now',
      { seats: 2, going_count: 3, is_full: true },
      { left: 0, isFull: true, percent: 100 },
    ],
  ])('%s', (_, training, want) => {
    expect(seatsLeft(training)).toEqual(want)
  })

  it('who waits does not go yet', () => {
    const answered_at = '2026-11-01T00:00:00Z'
    expect(answerOf({ mine: [] })).toBeNull()
    expect(answerOf({ mine: [{ answer: 'going', is_waiting: true, answered_at }] })).toBe('waiting')
    expect(answerOf({ mine: [{ answer: 'going', is_waiting: false, answered_at }] })).toBe('going')
    expect(answerOf({ mine: [{ answer: 'interested', is_waiting: false, answered_at }] })).toBe('interested')
  })
})
