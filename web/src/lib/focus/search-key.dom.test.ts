import { expect, it } from 'vitest'
import { isSearchKey } from './search-key'

const pressed = (target: Element, init: KeyboardEventInit = { key: '/' }) => {
  document.body.replaceChildren(target)
  let meant: boolean | null = null
  const listen = (event: KeyboardEvent) => {
    meant = isSearchKey(event)
  }
  document.addEventListener('keydown', listen, { once: true })
  target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }))
  return meant
}

it('a slash is for the search field unless it is typed', () => {
  expect(pressed(document.createElement('main'))).toBe(true)
  expect(pressed(document.createElement('textarea'))).toBe(false)
  expect(pressed(document.createElement('main'), { key: '/', ctrlKey: true })).toBe(false)
  expect(pressed(document.createElement('main'), { key: 'a' })).toBe(false)
})
