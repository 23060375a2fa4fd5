import { describe, expect, it } from 'vitest'
import { isToggle, parseSidebarState, sidebarCookie, startsOpen } from './admin-sidebar-state'

describe('the sidebar’s stored state', () => {
  it('§2.50 §9.17 is a cookie named sidebar:state for 7 days', () => {
    expect(sidebarCookie(false)).toBe('sidebar:state=false; path=/; max-age=604800; samesite=lax')
  })

  it.each([
    ['a=1; sidebar:state=false', false],
    ['sidebar:state=true; b=2', true],
    ['sidebar:state=perhaps', null],
    ['xsidebar:state=true', null],
    ['', null],
  ])('reads %j as %j', (cookies, want) => expect(parseSidebarState(cookies)).toBe(want))

  it('starts collapsed from 768 to 1023 px, unless a state is stored', () => {
    expect([startsOpen('', 1023), startsOpen('', 1024), startsOpen('sidebar:state=true', 800)]).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('§2.50 Ctrl or Cmd plus B', () => {
  const pressed = { key: 'b', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  it.each([
    [{ ctrlKey: true }, true],
    [{ metaKey: true, key: 'B' }, true],
    [{}, false],
    [{ ctrlKey: true, altKey: true }, false],
    [{ ctrlKey: true, key: 'n' }, false],
  ])('%j', (change, want) => expect(isToggle({ ...pressed, ...change })).toBe(want))
})
