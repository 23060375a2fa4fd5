/** The head of a page is that page's, also where the document came with more of an article's. */
import { renderHook } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { usePageHead } from './page-head'

const served = () => document.head.querySelectorAll('[data-served]').length

function arriveAt(path: string) {
  window.history.replaceState(null, '', path)
  document.head.innerHTML =
    '<link rel="canonical" href="https://muster.test/blog/a" data-served="/blog/a">' +
    '<script type="application/ld+json" data-served="/blog/a">{}</script>'
}

afterEach(() => {
  document.head.innerHTML = ''
  window.history.replaceState(null, '', '/')
})

describe('what an article’s document says of it alone', () => {
  it('stays while the article is shown', () => {
    arriveAt('/blog/a')
    renderHook(() => usePageHead({ title: 'A', type: 'article' }))
    expect(served()).toBe(2)
  })

  it('goes when another page is', () => {
    arriveAt('/blog')
    renderHook(() => usePageHead({ title: 'Blog' }))
    expect(served()).toBe(0)
    expect(document.title).toBe('Blog | Muster')
  })
})
