import { expect, test } from 'vitest'
import { scheduleInWords } from './schedule'

test.each([
  ['*/15 * * * *', 'Every 15 minutes'],
  ['*/15 * * * 0,1,2', 'Every 15 minutes on Sun, Mon, Tue'],
  ['5 * * * *', 'Every hour at :05'],
  ['40 3 * * *', 'At 3:40 UTC'],
  ['0 7 * * 7', 'At 7:00 UTC on Sun'],
  ['0 0 1 * *', '0 0 1 * *'],
  ['30 seconds', '30 seconds'],
  ['*/15 1-5 * * mon', '*/15 1-5 * * mon'],
  ['', ''],
])('a schedule in words (§10.4): %s', (schedule, want) => {
  expect(scheduleInWords(schedule)).toBe(want)
})
