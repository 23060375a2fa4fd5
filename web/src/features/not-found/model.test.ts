import { describe, expect, it } from 'vitest'
import { contextOf, counterKey, isFirstRepeated, isRepeated, nextCount } from './model'

describe('the not-found page', () => {
  it.each([
    ['/admin/blog', 'admin-blog'],
    ['/admin/blog/new', 'admin-blog'],
    ['/admin/blogger', 'admin'],
    ['/admin/x', 'admin'],
    ['/administrator', 'page'],
    ['/blog/none', 'blog'],
    ['/blogs', 'page'],
    ['/x/blog', 'page'],
  ])('§2.53 %s is in the context %s', (pathname, want) => {
    expect(contextOf(pathname)).toBe(want)
  })

  it('§4.38, §9.20 counts each path separately and warns from the third time on', () => {
    expect(counterKey('/a')).not.toBe(counterKey('/b'))
    const counts = [null, '1', '2', '7', 'x', '-4'].map(nextCount)
    expect(counts).toEqual([1, 2, 3, 8, 1, 1])
    expect(counts.map(isRepeated)).toEqual([false, false, true, true, false, false])
    expect(counts.map(isFirstRepeated)).toEqual([false, false, true, false, false, false])
  })
})
