import { describe, expect, test } from 'vitest'
import { conversationsOf, countBySender, type EnrichedMessage, linesOf, withMessage, withRead } from './model'

const party = (id: string, full_name: string | null = id) => ({ id, full_name, avatar_url: null })
const message = (id: string, from: string, to: string, minute: number, read = true): EnrichedMessage => ({
  id,
  sender_id: from,
  recipient_id: to,
  content: id,
  read,
  created_at: new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString(),
  sender_profile: party(from),
  recipient_profile: party(to),
})

describe('§3.19 conversations', () => {
  const list = [
    message('5', 'ben', 'me', 50, false),
    message('4', 'me', 'cleo', 40),
    message('3', 'me', 'ben', 30),
    message('2', 'ben', 'me', 20, false),
  ]

  test('one per other side, newest first, with the unread of each', () => {
    const got = conversationsOf(list, 'me', countBySender([{ sender_id: 'ben' }, { sender_id: 'ben' }]))
    expect(got.map((one) => [one.participantId, one.lastMessage.id, one.unreadCount, one.messages.length])).toEqual([
      ['ben', '5', 2, 3],
      ['cleo', '4', 0, 1],
    ])
  })

  test('whoever is hidden is called User', () => {
    const hidden = { ...message('1', 'ben', 'me', 1), sender_profile: null }
    const nameless = { ...message('2', 'me', 'cleo', 2), recipient_profile: party('cleo', ' ') }
    expect(conversationsOf([nameless, hidden], 'me', new Map()).map((one) => one.participantName)).toEqual([
      'User',
      'User',
    ])
  })
})

describe('§7.52 messages that arrive', () => {
  const pages = [[message('2', 'ben', 'me', 2)], [message('1', 'me', 'ben', 1, false)]]

  test('a new one comes first, once', () => {
    const once = withMessage(pages, message('3', 'ben', 'me', 3))
    expect(once.flat().map(({ id }) => id)).toEqual(['3', '2', '1'])
    expect(withMessage(once, message('3', 'ben', 'me', 3))).toEqual(once)
  })

  test('the answer to a sending does not take its receipt back', () => {
    const read = withRead(pages, '1')
    expect(withMessage(read, message('1', 'me', 'ben', 1, false))).toEqual(read)
  })

  test('§4.21 a read receipt changes one message', () => {
    expect(
      withRead(pages, '1')
        .flat()
        .map(({ read }) => read),
    ).toEqual([true, true])
  })
})

describe('what is drawn', () => {
  const at = (id: string, from: string, iso: string) => ({ ...message(id, from, 'x', 0), created_at: iso })
  const day1 = '2026-01-05T12:00:00Z'

  test('days are separated, runs of one side end with the time', () => {
    const lines = linesOf(
      [
        at('4', 'ben', '2026-01-07T12:00:00Z'),
        at('3', 'me', '2026-01-05T12:03:00Z'),
        at('2', 'ben', '2026-01-05T12:02:00Z'),
        at('1', 'ben', day1),
      ],
      [],
      'me',
    )
    expect(lines.map(({ id, day, endsRun }) => [id, day, endsRun])).toEqual([
      ['1', 'Jan 5, 2026', false],
      ['2', null, true],
      ['3', null, true],
      ['4', 'Jan 7, 2026', true],
    ])
  })

  test('a message that arrived is not drawn a second time from the outbox', () => {
    const outgoing = (id: string, failed: boolean) => ({ id, content: id, created_at: day1, failed })
    const lines = linesOf([at('a', 'me', day1)], [outgoing('a', true), outgoing('b', true), outgoing('c', false)], 'me')
    expect(lines.map(({ id, state }) => [id, state])).toEqual([
      ['a', 'read'],
      ['b', 'failed'],
      ['c', 'sending'],
    ])
  })
})
