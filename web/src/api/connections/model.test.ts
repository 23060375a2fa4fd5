import { describe, expect, test } from 'vitest'
import { type Change, changedCount, changedList, changedTies, type Contact, tabOf, type Tie, tiesOf } from './model'

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
