import { expect, test } from 'vitest'
import { placeOfToast } from './place'

const desk = { width: 1280, height: 800, focus: null, hasFoot: false, hasComposer: false }
const phone = { ...desk, width: 390, height: 844 }
const box = (top: number, right: number) => ({ top, right, bottom: top + 40 })

test.each([
  ['§9.30 bottom right', desk, 'bottom-right'],
  ['at the top, when the last row of the right column was pressed', { ...desk, focus: box(740, 1200) }, 'top-right'],
  ['beside what was pressed at the left', { ...desk, focus: box(740, 700) }, 'bottom-right'],
  ['where it was, when what was pressed is scrolled away', { ...desk, focus: box(900, 1200) }, 'bottom-right'],
  ['lifted by a composer', { ...desk, focus: box(740, 1200), hasComposer: true }, 'bottom-right'],
  ['on a phone under the bar', phone, 'top-center'],
  [
    'on a phone above the dock, when a button under the bar was pressed',
    { ...phone, focus: box(90, 380) },
    'bottom-center',
  ],
  [
    'on a phone with a sheet at the top, whatever was pressed',
    { ...phone, focus: box(90, 380), hasFoot: true },
    'top-center',
  ],
  ['on a phone above a composer', { ...phone, hasComposer: true }, 'bottom-center'],
] as const)('a toast does not cover what it speaks of: %s', (_, surroundings, want) => {
  expect(placeOfToast(surroundings)).toBe(want)
})
