import { describe, expect, it } from 'vitest'
import {
  arrivedSince,
  factsOf,
  faultOf,
  durationOf,
  niceTop,
  parsePeriod,
  percentOf,
  runningTotals,
  trendOf,
} from './model'

it('running totals end at the current total', () => expect(runningTotals([1, 2, 3], 10)).toEqual([5, 7, 10]))

it.each([
  [0, 4],
  [3, 4],
  [5, 8],
  [934, 1000],
  [1001, 1200],
  [42, 60],
  [17, 20],
])('an axis for %d ends at %d', (max, want) => expect(niceTop(max)).toBe(want))

describe('the period of the dashboard', () => {
  // 2026-03-12 is a Thursday; its week starts on March 9.
  const period = (address: string) => parsePeriod(new URLSearchParams(address), '2026-03-12')
  it.each([
    ['', { weeks: 12, first: '2025-12-22', last: '2026-03-09' }],
    ['weeks=4', { weeks: 4, first: '2026-02-16', last: '2026-03-09' }],
    ['weeks=9999', { weeks: 12, first: '2025-12-22', last: '2026-03-09' }],
    ['from=2026-02-18&to=2026-03-01', { weeks: 4, first: '2026-02-16', last: '2026-02-23' }],
    ['from=2026-02-16', { weeks: 4, first: '2026-02-16', last: '2026-03-09' }],
    ['from=2026-03-12&to=2026-01-01', { weeks: 11, first: '2025-12-29', last: '2025-12-29' }],
    ['from=2031-01-01&to=2032-01-01', { weeks: 1, first: '2026-03-09', last: '2026-03-09' }],
    ['from=1970-01-01', { weeks: 157, first: '2023-03-13', last: '2026-03-09' }],
    ['from=2026-13-45&to=x', { weeks: 12, first: '2025-12-22', last: '2026-03-09' }],
    ["from='; drop table weeks", { weeks: 12, first: '2025-12-22', last: '2026-03-09' }],
  ])('%j', (address, want) => expect(period(address)).toEqual(want))
})

it.each([
  ['from=2026-02-18&to=2026-03-01', null],
  ['from=2026-03-02&to=2026-03-01', 'reversed'],
  ['from=2026-03-02&to=2026-03-13', 'future'],
  ['from=2026-03-02', null],
  ['from=x&to=2031-01-01', null],
])('what is wrong with the days of %s', (address, want) => {
  expect(faultOf(new URLSearchParams(address), '2026-03-12')).toBe(want)
})

it.each([
  [0, 10, '0%'],
  [3, 9, '33%'],
  [1, 10_014, 'under 1%'],
  [9, 9, '100%'],
  [0, 0, '0%'],
])('%d of %d is %s', (value, of, want) => expect(percentOf(value, of)).toBe(want))

it.each([
  ['2026-03-12T07:00:00.01Z', '40 ms'],
  ['2026-03-12T07:00:03.17Z', '3.2 s'],
  ['2026-03-12T07:02:00Z', '2 min'],
  ['2026-03-12T06:59:59Z', '0 ms'],
])('a run until %s took %s', (end, want) => expect(durationOf('2026-03-12T06:59:59.970Z', end)).toBe(want))

it.each([
  [3, 2, 'up'],
  [2, 3, 'down'],
  [2, 2, 'same'],
])('%i after %i is %s', (now, before, want) => expect(trendOf(now, before)).toBe(want))

it('what arrived since a reading is what it did not have', () => {
  const [a, b] = [{ id: 'a' }, { id: 'b' }]
  expect(arrivedSince([a], [b, a])).toEqual(['b'])
  expect(arrivedSince([a, b], [a])).toEqual([])
})

it.each([
  ['career, Captain', 'Career, Captain'],
  ['Rigger, Chief', 'Rigger, Chief'],
  ['Captain', 'Captain'],
  [null, ''],
])('the facts %j read %j', (detail, want) => expect(factsOf(detail, { career: 'Career' })).toBe(want))
