import { describe, expect, it } from 'vitest'
import { formatAgo, formatDate, formatDay, formatSpan, formatUnderDay, momentOf } from './dates'

describe('dates', () => {
  it("§9.25 are formatted like 'Jan 5, 2025', or as 'Invalid date'", () => {
    expect(formatDate('2025-01-05T12:00:00Z')).toBe('Jan 5, 2025')
    expect([formatDate('soon'), formatDate(null), formatDate('')]).toEqual([
      'Invalid date',
      'Invalid date',
      'Invalid date',
    ])
  })

  it.each([
    ['2025-06-10T11:59:40Z', 'now'],
    ['2025-06-10T11:28:00Z', '32 min'],
    ['2025-06-10T10:00:00Z', '2 h'],
    ['2025-06-09T10:00:00Z', 'Yesterday'],
    ['2025-06-08T13:00:00Z', 'Sun'], // less than 48 h, and the day before yesterday
    ['2025-06-05T10:00:00Z', 'Thu'],
    ['2025-06-03T10:00:00Z', 'Jun 3'],
    ['2024-12-31T10:00:00Z', 'Dec 31, 2024'],
    ['2025-06-10T12:00:20Z', 'now'], // a clock that is ahead
    ['nonsense', 'Invalid date'],
  ])('%s was %s', (then, want) => {
    expect(formatAgo(then, new Date('2025-06-10T12:00:00Z'))).toBe(want)
  })

  it.each([
    [new Date(2025, 5, 10, 10), '2 h'],
    [new Date(2025, 5, 9, 23, 30), '11:30 PM'], // 'Yesterday' is the heading
    [new Date(2025, 5, 9, 0, 0), '12 AM'],
    [new Date(2025, 5, 8, 23, 59), 'Sun'],
  ])('%s has the time %s under its day', (then, want) => {
    expect(formatUnderDay(then.toISOString(), new Date(2025, 5, 10, 12))).toBe(want)
  })

  it.each([
    [new Date(2025, 5, 10, 0, 0), 'Today'],
    [new Date(2025, 5, 10, 23, 59), 'Today'],
    [new Date(2025, 5, 9, 23, 59), 'Yesterday'],
    [new Date(2025, 5, 9, 0, 0), 'Yesterday'],
    [new Date(2025, 5, 8, 23, 59), 'Jun 8, 2025'],
    [new Date(2025, 5, 11, 0, 0), 'Jun 11, 2025'],
    ['nonsense', 'Invalid date'],
  ])('%s is under %s', (then, want) => {
    expect(formatDay(String(then), new Date(2025, 5, 10, 12))).toBe(want)
  })
})

it('a moment of today has no date', () => {
  const at = (day: number, hour: number, minute: number) => new Date(2026, 11, day, hour, minute)
  expect(momentOf(at(3, 14, 5).getTime(), at(3, 15, 0))).toBe('2:05 PM')
  expect(momentOf(at(2, 8, 0).getTime(), at(3, 15, 0))).toBe('Dec 2, 2026, 8 AM')
})

describe('event times', () => {
  const at = (day: number, hour: number) => new Date(2026, 11, day, hour).toISOString()
  it.each([
    [at(3, 8), at(3, 16), 'Dec 3, 2026, 8 AM to 4 PM'],
    [at(3, 8), at(4, 0), 'Dec 3, 2026, 8 AM to Dec 4, 2026, 12 AM'],
    [at(3, 8), null, 'Dec 3, 2026, 8 AM'],
    [at(3, 8), at(3, 8), 'Dec 3, 2026, 8 AM'],
    ['soon', null, 'Invalid date'],
  ])('%s to %s', (start, end, want) => expect(formatSpan(start, end)).toBe(want))
})
