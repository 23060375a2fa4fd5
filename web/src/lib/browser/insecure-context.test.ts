/** A page that came by plain HTTP from another machine: a phone in the firehouse. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { randomId } from './random-id'
import { shareLink } from './share-link'

const link = { title: 'Truss', url: 'http://192.168.1.7:54321/blog/truss' }

afterEach(() => vi.unstubAllGlobals())

describe('ids without crypto.randomUUID', () => {
  it('are version 4 UUIDs, each another', () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    const ids = Array.from({ length: 500 }, randomId)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('are the browser’s own where it makes them', () => {
    vi.stubGlobal('crypto', { randomUUID: () => 'its-own' })
    expect(randomId()).toBe('its-own')
  })
})

describe('a link without navigator.clipboard', () => {
  const answer = (copied: boolean | Error) => {
    const seen: (string | undefined)[] = []
    document.execCommand = () => {
      const { activeElement } = document
      seen.push(activeElement instanceof HTMLTextAreaElement ? activeElement.value : undefined)
      if (copied instanceof Error) throw copied
      return copied
    }
    return seen
  }

  it.each([
    [true, 'copied'],
    [false, 'failed'],
    [new Error('not allowed'), 'failed'],
  ] as const)('is copied from a selection, which leaves no trace: %s', async (copied, want) => {
    const seen = answer(copied)
    expect(await shareLink(link)).toBe(want)
    expect(seen).toEqual([link.url])
    expect(document.querySelector('textarea')).toBeNull()
  })

  it('goes to the share sheet where there is one; closing it is no failure, a broken one leads to the clipboard', async () => {
    const seen = answer(true)
    const share = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { share })
    expect(await shareLink(link)).toBe('shared')
    share.mockRejectedValueOnce(new DOMException('', 'AbortError'))
    expect(await shareLink(link)).toBe('dismissed')
    expect(seen).toEqual([])
    share.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'))
    expect(await shareLink(link)).toBe('copied')
  })
})
