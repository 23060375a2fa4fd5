import { expect, it } from 'vitest'
import { arrayOf, tagOf, withTag } from './tags'

it.each([
  ['Ladders', 'ladders'],
  ['  #Truck   Work, ', 'truck work'],
  ['#,', ''],
  ['ÄÖ', 'äö'],
])('§11.4 %j is written %j', (typed, tag) => {
  expect(tagOf(typed)).toBe(tag)
})

it('§11.4 a post has five tags at most, each once', () => {
  expect(withTag(['hose'], '#HOSE')).toEqual(['hose'])
  expect(withTag(['hose'], ' ')).toEqual(['hose'])
  expect(withTag(['hose'], 'x'.repeat(41))).toEqual(['hose'])
  expect(withTag(['a', 'b', 'c', 'd'], 'E')).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(withTag(['a', 'b', 'c', 'd', 'e'], 'f')).toHaveLength(5)
})

it('§11.4 a tag of quotes and braces is one element of the filter', () => {
  expect(arrayOf('say "hi", {now} \\')).toBe(String.raw`{"say \"hi\", {now} \\"}`)
})
