import { expect, it } from 'vitest'
import { countsOf, filtersOf, isSame, labelOf, withFilter, withoutFilters } from './directory'

it.each([
  ['', {}],
  ['state=IA&rank=Captain&tab=people', { state: 'IA', rank: 'Captain' }],
  ['state=%20&type=', {}],
  [`rank=${'x'.repeat(201)}`, {}],
  ['certification=%3Cscript%3E', { certification: '<script>' }],
])('§11.6 the address %j carries the filters', (address, filters) => {
  expect(filtersOf(new URLSearchParams(address))).toEqual(filters)
})

it('§11.6 one filter is changed, removed, or all are, and the rest of the address stays', () => {
  const params = new URLSearchParams('tab=people&state=IA')
  expect(withFilter(params, 'rank', 'captain').toString()).toBe('tab=people&state=IA&rank=captain')
  expect(withFilter(params, 'state', null).toString()).toBe('tab=people')
  expect(withoutFilters(withFilter(params, 'type', 'career')).toString()).toBe('tab=people')
})

it('§11.6 values are called as members write them', () => {
  const rows = [
    { facet: 'everyone', value: '', label: '', members: 12 },
    { facet: 'rank', value: 'captain', label: 'Captain', members: 9 },
    { facet: 'unknown', value: 'x', label: 'x', members: 1 },
  ]
  const counts = countsOf(rows)
  expect(counts.total).toBe(12)
  expect([...counts.values.keys()]).toEqual(['rank'])
  expect(labelOf(counts, 'rank', ' CAPTAIN ')).toBe('Captain')
  expect(labelOf(counts, 'state', 'ia')).toBe('Iowa')
  expect(labelOf(undefined, 'rank', 'chief')).toBe('chief')
  expect([isSame(undefined, 'x'), isSame('Truck  work', 'truck work')]).toEqual([false, true])
})
