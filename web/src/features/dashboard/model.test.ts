import { expect, test } from 'vitest'
import { byWeek, spanOf, tasksOf } from './model'

test('timestamps are counted in weeks that end now', () => {
  const now = new Date('2026-01-29T12:00:00Z')
  const moments = ['2026-01-29T11:00:00Z', '2026-01-22T13:00:00Z', '2026-01-22T11:00:00Z', '2025-01-01T00:00:00Z', 'x']
  expect(byWeek(moments, 3, now)).toEqual([0, 1, 2])
})

const idle = { renewals: [], requests: 0, unread: 0, missing: 0, connections: 5, written: 3, hasFirstSteps: false }

test('who has nothing open has nothing to do', () => {
  expect(tasksOf(idle)).toEqual([])
})

test('what expires comes before people, people before the profile, and four rows are the most', () => {
  const renewal = (id: string, days: number) => ({ id, name: id, days, expiresOn: '2026-12-31' })
  const renewals = [renewal('EMT', 5), renewal('ACLS', 40), renewal('PALS', -3)]
  const kinds = (standing: Parameters<typeof tasksOf>[0]) => tasksOf(standing).map(({ kind }) => kind)
  expect(
    kinds({ renewals, requests: 2, unread: 1, missing: 3, connections: 0, written: 0, hasFirstSteps: false }),
  ).toEqual(['renew', 'renew', 'answer', 'read'])
  expect(kinds({ ...idle, missing: 3, connections: 0, written: 0 })).toEqual(['connect', 'complete', 'share'])
  // §16.5: the card of the first steps asks for what is first.
  expect(kinds({ ...idle, missing: 3, connections: 0, written: 0, hasFirstSteps: true })).toEqual([])
})

test('a day lies on the bar by the time that is left', () => {
  const now = new Date('2026-11-22T12:00:00')
  expect(spanOf('2026-11-22', now, 24)).toMatchObject({ soon: true, over: false })
  expect(spanOf('2026-11-21', now, 24)).toEqual({ percent: 0, soon: true, over: true })
  expect(spanOf('2027-11-22', now, 24).percent).toBeCloseTo(50, 0)
  expect(spanOf('2040-01-01', now, 24)).toEqual({ percent: 100, soon: false, over: false })
  expect(spanOf('', now, 24).over).toBe(true)
})
