import { describe, expect, it, test } from 'vitest'
import { actionsOn, parseMembersView } from './model'

describe('list views from the URL', () => {
  it('unknown values mean the defaults', () => {
    expect(parseMembersView(new URLSearchParams('sort=drop&standing=gods&page=abc&type=Pirate'))).toEqual({
      search: '',
      standing: 'all',
      kind: '',
      sort: 'joined',
      descending: true,
      page: 1,
    })
  })

  it('parses known values', () => {
    const query = 'sort=name&order=up&page=4&standing=admins&search=ada&type=Wildland'
    const want = { search: 'ada', standing: 'admins', kind: 'Wildland', sort: 'name', descending: false, page: 4 }
    expect(parseMembersView(new URLSearchParams(query))).toEqual(want)
  })
})

test.each([
  [{ admin: false, suspended: false }, false, ['grant', 'suspend', 'delete']],
  [{ admin: false, suspended: true }, false, ['restore', 'delete']],
  [{ admin: true, suspended: false }, false, ['revoke']],
  [{ admin: true, suspended: false }, true, []],
])('§6.3 %j (oneself: %j) can be subject to %j', (member, isSelf, want) => {
  expect(actionsOn(member, isSelf)).toEqual(want)
})
