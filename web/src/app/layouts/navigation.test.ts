import { describe, expect, test } from 'vitest'
import { limits } from '@/config/limits'
import { isCurrent, navigationItems } from './navigation'

describe('§2.18 the five navigation items', () => {
  test('§2.19 §2.20 §2.22 §2.23 their targets, §9.8 and as many as the bar has slots', () => {
    expect(navigationItems.map(({ label, to }) => [label, to])).toEqual([
      ['Home', '/feed'],
      ['Profile', '/profile'],
      ['Network', '/network'],
      ['Messages', '/messages'],
      ['Feedback', '/feedback'],
    ])
    expect(navigationItems).toHaveLength(limits.mobileBarSlots)
  })

  test('§2.24 desktop and mobile use different icons', () => {
    for (const { desktopIcon, mobileIcon } of navigationItems) expect(desktopIcon).not.toBe(mobileIcon)
  })

  test('§2.25 an item is current on its path and below it; the feed only exactly', () => {
    expect(isCurrent('/profile/7', '/profile', false)).toBe(true)
    expect(isCurrent('/network', '/profile', false)).toBe(false)
    expect(isCurrent('/feed', '/feed', true)).toBe(true)
    expect(isCurrent('/feedback', '/feed', true)).toBe(false)
  })
})
