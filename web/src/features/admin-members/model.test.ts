import { describe, expect, it } from 'vitest'
import { parseMembersView } from './model'

describe('list views from the URL', () => {
  it('unknown values mean the defaults', () => {
    expect(parseMembersView(new URLSearchParams('sort=drop&standing=gods&page=abc'))).toEqual({
      search: '',
      standing: 'all',
      sort: 'joined',
      descending: true,
      page: 1,
    })
  })

  it('parses known values', () => {
    const view = parseMembersView(new URLSearchParams('sort=name&order=up&page=4&standing=admins&search=ada'))
    expect(view).toEqual({ search: 'ada', standing: 'admins', sort: 'name', descending: false, page: 4 })
  })
})
