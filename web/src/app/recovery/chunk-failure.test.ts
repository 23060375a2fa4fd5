import { describe, expect, it } from 'vitest'
import { forgetAfterMs, isChunkFailure, remedyFor, withoutReloadStamp, withReloadStamp } from './chunk-failure'

describe('a chunk that fails to load (§8.8)', () => {
  it.each([
    new TypeError('Failed to fetch dynamically imported module: https://x/assets/feed.js'),
    new TypeError('error loading dynamically imported module: https://x/assets/feed.js'),
    new TypeError('Importing a module script failed.'),
    new Error('Unable to preload CSS for /assets/feed.css'),
  ])('%s is one', (error) => {
    expect(isChunkFailure(error)).toBe(true)
  })

  it.each([new Error('boom'), new TypeError('x is undefined'), null, { message: 'Failed to fetch' }])(
    '%s is none',
    (error) => {
      expect(isChunkFailure(error)).toBe(false)
    },
  )

  it('§8.9-12 leads to a reload, then the dashboard, then nothing: never a loop', () => {
    const now = 1_000_000
    const never = { reloadedAt: 0, fledAt: 0 }
    expect(remedyFor(never, now, true)).toBe('reload')
    expect(remedyFor({ ...never, reloadedAt: now - 3000 }, now, true)).toBe('dashboard')
    expect(remedyFor({ reloadedAt: now - 5000, fledAt: now - 2000 }, now, true)).toBe('give-up')
    expect(remedyFor({ reloadedAt: now - forgetAfterMs - 1, fledAt: now - 2000 }, now, true)).toBe('reload')
  })

  it('no reload while offline, because it would lose the page', () => {
    expect(remedyFor({ reloadedAt: 0, fledAt: 0 }, 1_000_000, false)).toBe('give-up')
  })

  it('§8.11 the reload adds a timestamp to the address, which is removed again', () => {
    const stamped = withReloadStamp('https://muster.example/blog?tag=a#top', 1700)
    expect(stamped).toBe('https://muster.example/blog?tag=a&reload=1700#top')
    expect(withoutReloadStamp(stamped)).toBe('https://muster.example/blog?tag=a#top')
  })
})
