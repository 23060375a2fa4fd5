import { describe, expect, test } from 'vitest'
import {
  type Change,
  changedCount,
  changedList,
  changedConnections,
  type ListedConnection,
  placeConnection,
  tabOf,
  type Connection,
  connectionsByMember,
} from './model'

const connection = (connectionStatus: Connection['connectionStatus'], isRequester: boolean): Connection => ({
  connectionId: 'c1',
  connectionStatus,
  isRequester,
})
const listed = (otherId: string): ListedConnection => ({
  ...connection('accepted', true),
  otherId,
  profile: null,
  created_at: '2026-01-01T00:00:00Z',
})

describe('§2.36 the three tabs', () => {
  test.each([
    ['accepted, asked by me', connection('accepted', true), 'connections'],
    ['accepted, asked by them', connection('accepted', false), 'connections'],
    ['incoming', connection('pending', false), 'pending-requests'],
    ['outgoing', connection('pending', true), 'requests-made'],
    ['declined', connection('declined', false), null],
    ['none', undefined, null],
  ])('%s', (_, given, want) => expect(tabOf(given)).toBe(want))
})

test('§3.20 §3.21 a row is mapped from one member’s point of view', () => {
  const rows = [
    { id: '1', user_id: 'me', connected_user_id: 'ben', status: 'pending' },
    { id: '2', user_id: 'cleo', connected_user_id: 'me', status: 'accepted' },
  ]
  expect(connectionsByMember(rows, 'me')).toEqual({
    ben: { connectionId: '1', connectionStatus: 'pending', isRequester: true },
    cleo: { connectionId: '2', connectionStatus: 'accepted', isRequester: false },
  })
})

describe('§4.18 §4.19 optimistic changes', () => {
  const accepted: Change = {
    otherId: 'ben',
    profile: null,
    before: connection('pending', false),
    after: connection('accepted', false),
  }
  const removed: Change = { otherId: 'ben', profile: null, before: connection('accepted', false), after: undefined }
  const declined: Change = { ...accepted, after: connection('declined', false) }

  test('accepting moves the other member from the requests to the connections', () => {
    expect(changedCount(3, 'pending-requests', accepted)).toBe(2)
    expect(changedCount(3, 'connections', accepted)).toBe(4)
    expect(changedList([[listed('ben'), listed('cleo')]], 'pending-requests', accepted, 'now')).toEqual([
      [listed('cleo')],
    ])
    const [first] = changedList([[listed('cleo')]], 'connections', accepted, 'now')
    expect(first?.map((one) => one.otherId)).toEqual(['ben', 'cleo'])
  })

  test('declining drops the row from the list', () => {
    expect(changedList([[listed('ben')]], 'pending-requests', declined, 'now')).toEqual([[]])
    expect(changedCount(1, 'pending-requests', declined)).toBe(0)
  })

  test('removing clears the status in search results', () => {
    expect(
      changedConnections({ ben: connection('accepted', false), cleo: connection('pending', true) }, removed),
    ).toEqual({
      cleo: connection('pending', true),
    })
    expect(changedCount(0, 'connections', removed)).toBe(0)
  })
})

describe('§7.53 where a changed row is placed', () => {
  const listed = (
    id: string,
    minute: number,
    connectionStatus: ListedConnection['connectionStatus'] = 'accepted',
  ): ListedConnection => ({
    connectionId: id,
    connectionStatus,
    isRequester: false,
    otherId: `other-${id}`,
    profile: null,
    created_at: `2026-01-05T10:0${minute}:00Z`,
  })
  const pages = [
    [listed('e', 9), listed('d', 7)],
    [listed('b', 3), listed('a', 1)],
  ]
  const place = (id: string, row: ListedConnection | undefined, more = false) =>
    placeConnection(pages, 'connections', id, row, more).map((page) => page.map((one) => one.connectionId))

  test.each([
    [
      'the newest',
      listed('f', 9),
      [
        ['f', 'e', 'd'],
        ['b', 'a'],
      ],
    ],
    [
      'between two',
      listed('c', 5),
      [
        ['e', 'd'],
        ['c', 'b', 'a'],
      ],
    ],
    [
      'changed where it is',
      listed('b', 3),
      [
        ['e', 'd'],
        ['b', 'a'],
      ],
    ],
    ['no longer of this list', listed('b', 3, 'declined'), [['e', 'd'], ['a']]],
  ] as const)('%s', (_name, row, want) => {
    expect(place(row.connectionId, row)).toEqual(want)
  })

  test('deleted', () => expect(place('d', undefined)).toEqual([['e'], ['b', 'a']]))

  test('older than the loaded pages: at the end, or left to its own page', () => {
    expect(place('_', listed('_', 0))).toEqual([
      ['e', 'd'],
      ['b', 'a', '_'],
    ])
    expect(place('_', listed('_', 0), true)).toEqual([
      ['e', 'd'],
      ['b', 'a'],
    ])
  })

  test('an optimistic entry is replaced by the server’s row', () => {
    const guess = [[{ ...listed('optimistic', 9), otherId: 'other-x' }]]
    const got = placeConnection(guess, 'connections', 'x', listed('x', 5), false)
    expect(got.flat().map(({ connectionId }) => connectionId)).toEqual(['x'])
  })
})
