import { describe, expect, it } from 'vitest'
import { formatAgo, formatDate, formatSpan } from './dates'

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
    ['2025-06-08T13:00:00Z', 'Jun 8, 2025'], // less than 48 h, and the day before yesterday
    ['2025-06-05T10:00:00Z', 'Jun 5, 2025'],
    ['nonsense', 'Invalid date'],
  ])('%s was %s', (then, want) => {
    expect(formatAgo(then, new Date('2025-06-10T12:00:00Z'))).toBe(want)
  })
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
