import { describe, expect, it } from 'vitest'
import { hueOf, initials } from './people'

describe('avatars', () => {
  it.each([
    ['Dana Whitcomb', 'DW'],
    ['dana', 'D'],
    ['Ana Maria del Rio', 'AM'],
    ['', 'U'],
    [null, 'U'],
    ['   ', 'U'],
    ['école normale', 'ÉN'],
    ['😀 fire', '😀F'],
  ])('§3.14, §9.13 the initials of %j are %s', (name, want) => {
    expect(initials(name)).toBe(want)
  })

  it('a member always has the same one of 24 hues', () => {
    expect(hueOf('a')).toBe(hueOf('a'))
    expect(hueOf('a') % 15).toBe(0)
    expect(new Set(Array.from({ length: 500 }, (_, i) => hueOf(`member-${i}`))).size).toBe(24)
  })
})
