/** Each page sets its own head, also when the served document came with an article's tags. */
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { disownServedHead } from '@/lib/browser/served-head'
import { useCountInTitle } from '@/lib/browser/title-count'
import { DocumentHead } from './document-head'

const served = () => document.head.querySelectorAll('[data-served]').length

function open(path: string) {
  window.history.replaceState(null, '', path)
  document.head.innerHTML =
    '<link rel="canonical" href="https://muster.test/blog/a" data-served="/blog/a">' +
    '<script type="application/ld+json" data-served="/blog/a">{}</script>'
}

afterEach(() => {
  cleanup() // React removes its own tags
  document.head.innerHTML = ''
  window.history.replaceState(null, '', '/')
})

describe('tags of an article’s own document', () => {
  it('stay while the article is shown', () => {
    open('/blog/a')
    render(<DocumentHead title="A" type="article" />)
    expect(served()).toBe(2)
  })

  it('are removed when another page is shown', () => {
    open('/blog')
    render(<DocumentHead title="Blog" />)
    expect(served()).toBe(0)
    expect(document.title).toBe('Blog | Muster')
  })
})

describe('§2.16 unread messages in the title', () => {
  function Frame({ unread }: { unread: number }) {
    useCountInTitle(unread)
    return <DocumentHead title="Feed" />
  }

  it('follow their number, and leave with the frame', () => {
    const { rerender, unmount } = render(<Frame unread={3} />)
    expect(document.title).toBe('(3) Feed | Muster')
    rerender(<Frame unread={0} />)
    expect(document.title).toBe('Feed | Muster')
    rerender(<Frame unread={1} />)
    unmount()
    render(<DocumentHead title="Log in" />)
    expect(document.title).toBe('Log in | Muster')
  })
})

describe('a page rendered into a document with another page’s head', () => {
  const served =
    '<!-- head --><title>Landing</title><meta name="description" content="Of the landing page"><!-- /head -->'

  it('has its own title and tags, each once', () => {
    document.head.innerHTML = `${served}<meta name="theme-color" content="#111">`
    disownServedHead()
    expect(document.title).toBe('Landing') // until a page renders
    const { unmount } = render(<DocumentHead title="Blog" description="Of the blog" />)
    expect(document.title).toBe('Blog | Muster')
    const contents = [...document.head.querySelectorAll('meta[name]')].map((tag) => tag.getAttribute('content'))
    expect(contents.sort()).toEqual(['#111', 'Of the blog'])
    unmount()
    expect(document.head.querySelectorAll('title, meta[property], meta[name=description]')).toHaveLength(0)
  })
})
