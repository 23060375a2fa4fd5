import { describe, expect, it } from 'vitest'
import { originOf, safeOrigin } from './origin'

describe('the remembered origin (§2.27)', () => {
  const here = 'https://muster.example'
  it.each(['/messages', '/profile/1?tab=posts#awards', '/auth/callback-help'])('%s is an internal page', (path) => {
    expect(safeOrigin(path, here)).toBe(path)
  })

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'feed',
    '',
    null,
    42,
    '/login',
    '/register',
    '/auth/callback?code=1',
  ])('%j is refused', (path) => {
    expect(safeOrigin(path, here)).toBeNull()
  })

  it('comes from the guard first, then from ?next=, and is the feed otherwise', () => {
    expect(originOf({ state: { from: '/network' }, search: '?next=/blog' }, here)).toBe('/network')
    expect(originOf({ state: null, search: '?next=/blog' }, here)).toBe('/blog')
    expect(originOf({ state: { from: '//evil.example' }, search: '?next=https://evil.example' }, here)).toBe('/feed')
  })
})
