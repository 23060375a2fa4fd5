/** Focus is not lost when the prerendered page gives way to the application. */
import { beforeEach, describe, expect, it } from 'vitest'
import { handOverFocus, noteFocus } from './focus-handover'

const page = '<a href="#main">Skip to content</a><a href="/login">Sign In</a><button>Join</button>'

function drawn(html: string): HTMLElement {
  const root = document.getElementById('root')
  if (!root) throw new Error('no #root')
  root.innerHTML = html
  return root
}

describe('keyboard focus on the prerendered page', () => {
  beforeEach(() => {
    document.body.innerHTML = '<div id="root"></div>'
  })

  it.each([
    ['a[href="/login"]', 'Sign In'],
    ['button', 'Join'],
  ])('goes on at the same stop: %s', (selector, words) => {
    const root = drawn(page)
    root.querySelector<HTMLElement>(selector)?.focus()
    noteFocus(root)
    drawn(page)
    handOverFocus()
    expect(document.activeElement?.textContent).toBe(words)
  })

  it('goes nowhere when it was nowhere, or the stop has become another', () => {
    noteFocus(drawn(page))
    handOverFocus()
    expect(document.activeElement).toBe(document.body)
    const root = drawn(page)
    root.querySelector<HTMLElement>('button')?.focus()
    noteFocus(root)
    drawn(page.replace('Join', 'Leave'))
    handOverFocus()
    expect(document.activeElement).toBe(document.body)
  })

  it('is handed over once', () => {
    const root = drawn(page)
    root.querySelector<HTMLElement>('button')?.focus()
    noteFocus(root)
    handOverFocus()
    drawn(page)
    handOverFocus()
    expect(document.activeElement).toBe(document.body)
  })
})
