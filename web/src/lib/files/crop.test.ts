import { describe, expect, test } from 'vitest'
import { centered, squareOf, within } from './crop'

const wide = { width: 1200, height: 600 }

describe('§14.1 the square of a photo', () => {
  test('is the largest in the middle at first', () =>
    expect(squareOf(centered, wide)).toEqual({ left: 300, top: 0, side: 600 }))

  test.each([
    [
      { x: -3, y: 9, zoom: 1 },
      { left: 0, top: 0, side: 600 },
    ],
    [
      { x: 2, y: 2, zoom: 2 },
      { left: 900, top: 300, side: 300 },
    ],
    [
      { x: 0.5, y: 0.5, zoom: 99 },
      { left: 525, top: 225, side: 150 },
    ],
    [
      { x: 0.5, y: 0.5, zoom: 0 },
      { left: 300, top: 0, side: 600 },
    ],
  ])('%j stays within the picture', (view, want) => expect(squareOf(within(view, wide), wide)).toEqual(want))
})
