import { describe, expect, test } from 'vitest'
import {
  type Change,
  changedCount,
  changedList,
  changedTies,
  type Contact,
  placeContact,
  tabOf,
  type Tie,
  tiesOf,
} from './model'

const tie = (connectionStatus: Tie['connectionStatus'], isRequester: boolean): Tie => ({
  connectionId: 'c1',
  connectionStatus,
  isRequester,
})
const contact = (otherId: string): Contact => ({
  ...tie('accepted', true),
  otherId,
  profile: null,
  created_at: '2026-01-01T00:00:00Z',
})

describe('§2.36 the three tabs', () => {
  test.each([
    ['accepted, asked by me', tie('accepted', true), 'connections'],
    ['accepted, asked by them', tie('accepted', false), 'connections'],
    ['incoming', tie('pending', false), 'pending-requests'],
    ['outgoing', tie('pending', true), 'requests-made'],
    ['declined', tie('declined', false), null],
    ['none', undefined, null],
  ])('%s', (_, given, want) => expect(tabOf(given)).toBe(want))
})

test('§3.20 §3.21 a row is seen from one side', () => {
  const rows = [
    { id: '1', user_id: 'me', connected_user_id: 'ben', status: 'pending' },
    { id: '2', user_id: 'cleo', connected_user_id: 'me', status: 'accepted' },
  ]
  expect(tiesOf(rows, 'me')).toEqual({
    ben: { connectionId: '1', connectionStatus: 'pending', isRequester: true },
    cleo: { connectionId: '2', connectionStatus: 'accepted', isRequester: false },
  })
})

describe('§4.18 §4.19 what a change does at once', () => {
  const accepted: Change = {
    otherId: 'ben',
    profile: null,
    before: tie('pending', false),
    after: tie('accepted', false),
  }
  const removed: Change = { otherId: 'ben', profile: null, before: tie('accepted', false), after: undefined }
  const declined: Change = { ...accepted, after: tie('declined', false) }

  test('accepting moves the other side from the requests to the connections', () => {
    expect(changedCount(3, 'pending-requests', accepted)).toBe(2)
    expect(changedCount(3, 'connections', accepted)).toBe(4)
    expect(changedList([[contact('ben'), contact('cleo')]], 'pending-requests', accepted, 'now')).toEqual([
      [contact('cleo')],
    ])
    const [first] = changedList([[contact('cleo')]], 'connections', accepted, 'now')
    expect(first?.map((one) => one.otherId)).toEqual(['ben', 'cleo'])
  })

  test('declining drops the row from the list', () => {
    expect(changedList([[contact('ben')]], 'pending-requests', declined, 'now')).toEqual([[]])
    expect(changedCount(1, 'pending-requests', declined)).toBe(0)
  })

  test('removing clears the status in search results', () => {
    expect(changedTies({ ben: tie('accepted', false), cleo: tie('pending', true) }, removed)).toEqual({
      cleo: tie('pending', true),
    })
    expect(changedCount(0, 'connections', removed)).toBe(0)
  })
})

describe('§7.53 a row that changed finds its place', () => {
  const contact = (
    id: string,
    minute: number,
    connectionStatus: Contact['connectionStatus'] = 'accepted',
  ): Contact => ({
    connectionId: id,
    connectionStatus,
    isRequester: false,
    otherId: `other-${id}`,
    profile: null,
    created_at: `2026-01-05T10:0${minute}:00Z`,
  })
  const pages = [
    [contact('e', 9), contact('d', 7)],
    [contact('b', 3), contact('a', 1)],
  ]
  const place = (id: string, row: Contact | undefined, more = false) =>
    placeContact(pages, 'connections', id, row, more).map((page) => page.map((one) => one.connectionId))

  test.each([
    [
      'the newest',
      contact('f', 9),
      [
        ['f', 'e', 'd'],
        ['b', 'a'],
      ],
    ],
    [
      'between two',
      contact('c', 5),
      [
        ['e', 'd'],
        ['c', 'b', 'a'],
      ],
    ],
    [
      'changed where it is',
      contact('b', 3),
      [
        ['e', 'd'],
        ['b', 'a'],
      ],
    ],
    ['no longer of this list', contact('b', 3, 'declined'), [['e', 'd'], ['a']]],
  ] as const)('%s', (_name, row, want) => {
    expect(place(row.connectionId, row)).toEqual(want)
  })

  test('ended', () => expect(place('d', undefined)).toEqual([['e'], ['b', 'a']]))

  test('older than what was loaded: at the end, or with its own page', () => {
    expect(place('_', contact('_', 0))).toEqual([
      ['e', 'd'],
      ['b', 'a', '_'],
    ])
    expect(place('_', contact('_', 0), true)).toEqual([
      ['e', 'd'],
      ['b', 'a'],
    ])
  })

  test('what was put there before the server answered is replaced', () => {
    const guess = [[{ ...contact('optimistic', 9), otherId: 'other-x' }]]
    const got = placeContact(guess, 'connections', 'x', contact('x', 5), false)
    expect(got.flat().map(({ connectionId }) => connectionId)).toEqual(['x'])
  })
})
