import { expect, it } from 'vitest'
import { scrollIntoRow } from './scroll-into-row'

const at = (left: number, right: number) => ({ getBoundingClientRect: () => new DOMRect(left, 0, right - left, 10) })

it.each([
  ['beyond the end', 350, 400, 50 + 74],
  ['before the beginning', -20, 30, 50 - 44],
  ['in sight', 10, 60, 50],
])('what is chosen %s of its row comes into sight', (_, left, right, want) => {
  const row = Object.assign(document.createElement('div'), at(0, 350))
  const chosen = Object.assign(document.createElement('a'), at(left, right))
  row.append(chosen)
  row.scrollLeft = 50
  scrollIntoRow(chosen)
  expect(row.scrollLeft).toBe(want)
  expect(() => scrollIntoRow(null)).not.toThrow()
})
