import { expect, test } from 'vitest'
import { byWeek } from './model'

test('timestamps are counted in weeks that end now', () => {
  const now = new Date('2026-01-29T12:00:00Z')
  const moments = ['2026-01-29T11:00:00Z', '2026-01-22T13:00:00Z', '2026-01-22T11:00:00Z', '2025-01-01T00:00:00Z', 'x']
  expect(byWeek(moments, 3, now)).toEqual([0, 1, 2])
})
