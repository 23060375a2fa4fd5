import { describe, expect, test } from 'vitest'
import type { Delivery } from '@/lib/device/outbox/entry'
import {
  type Conversation,
  conversationOf,
  type ConversationRow,
  linesOf,
  mergeFound,
  type Message,
  withMessage,
  withNewest,
  withRead,
  withReceipt,
} from './model'

const message = (id: string, from: string, to: string, minute: number, read = true): Message => ({
  id,
  sender_id: from,
  recipient_id: to,
  content: id,
  file_url: null,
  read,
  created_at: new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString(),
})

const row = (partner: string, minute: number, more: Partial<ConversationRow> = {}): ConversationRow => ({
  participant_id: partner,
  participant_name: partner,
  participant_avatar: null,
  unread_count: 0,
  last_message_id: `m${minute}`,
  last_message_content: `at ${minute}`,
  last_message_at: new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString(),
  last_message_is_mine: false,
  last_message_is_read: true,
  ...more,
})

describe('§3.19 conversations', () => {
  const of = (...rows: ConversationRow[]): Conversation[] => rows.map((one) => conversationOf(one, 'me'))
  const order = (pages: Conversation[][] | null) => pages?.flat().map(({ participantId }) => participantId)

  test('from a row of the procedure: partner, last message with both profiles, unread count', () => {
    const [ben, cleo] = of(row('ben', 50, { unread_count: 2 }), row('cleo', 40, { last_message_is_mine: true }))
    expect(ben).toMatchObject({ participantId: 'ben', unreadCount: 2, participantName: 'ben', participantAvatar: null })
    expect(ben?.lastMessage).toMatchObject({ id: 'm50', sender_id: 'ben', recipient_id: 'me', content: 'at 50' })
    expect(cleo?.lastMessage).toMatchObject({ sender_id: 'me', recipient_id: 'cleo' })
    expect(ben?.messages).toEqual([ben?.lastMessage])
  })

  test('a member whose profile is hidden is called User', () => {
    const [hidden, nameless] = of(row('ben', 1, { participant_name: null }), row('cleo', 2, { participant_name: ' ' }))
    expect([hidden?.participantName, nameless?.participantName]).toEqual(['User', 'User'])
  })

  test('a message moves its conversation to the top, from any page, once', () => {
    const pages = [of(row('ben', 50), row('cleo', 40)), of(row('dan', 30))]
    const moved = withNewest(pages, message('new', 'me', 'dan', 55), 'me')
    expect(order(moved)).toEqual(['dan', 'ben', 'cleo'])
    expect(moved?.[0]?.[0]).toMatchObject({ lastMessage: { id: 'new' }, messages: [{ id: 'new' }, { id: 'm30' }] })
    expect(withNewest(moved ?? [], message('new', 'me', 'dan', 55), 'me')).toEqual(moved)
    expect(order(withNewest(pages, message('old', 'ben', 'me', 10), 'me'))).toEqual(['ben', 'cleo', 'dan'])
    expect(withNewest(pages, message('x', 'eve', 'me', 60), 'me')).toBeNull()
  })

  test('a read receipt is kept, whatever event follows', () => {
    const sent = [of(row('ben', 50, { last_message_is_mine: true, last_message_is_read: false }))]
    const read = withReceipt(sent, 'm50')
    expect(read[0]?.[0]?.lastMessage.read).toBe(true)
    expect(withNewest(read, message('m50', 'me', 'ben', 50, false), 'me')?.[0]?.[0]?.lastMessage.read).toBe(true)
  })

  test('search: matches by name and in loaded messages, without duplicates, newest first', () => {
    const all = of(row('ben', 50), row('cleo', 40, { last_message_content: 'Ask BEN' }), row('dan', 30))
    expect(order([mergeFound(all.slice(0, 1), all, 'ben')])).toEqual(['ben', 'cleo'])
    expect(order([mergeFound(all.slice(2), all, 'ben')])).toEqual(['cleo', 'dan'])
  })
})

describe('§7.52 incoming messages', () => {
  const pages = [[message('2', 'ben', 'me', 2)], [message('1', 'me', 'ben', 1, false)]]

  test('a new one is added at the top, once', () => {
    const once = withMessage(pages, message('3', 'ben', 'me', 3))
    expect(once.flat().map(({ id }) => id)).toEqual(['3', '2', '1'])
    expect(withMessage(once, message('3', 'ben', 'me', 3))).toEqual(once)
  })

  test('the response to sending does not undo its read receipt', () => {
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

describe('rendered lines', () => {
  const at = (id: string, from: string, iso: string) => ({ ...message(id, from, 'x', 0), created_at: iso })
  const day1 = '2026-01-05T12:00:00Z'

  test('days are separated, runs of one sender end with the time', () => {
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
    expect(lines.map(({ id, startsDay, endsRun }) => [id, startsDay, endsRun])).toEqual([
      ['1', true, false],
      ['2', false, true],
      ['3', false, true],
      ['4', true, true],
    ])
  })

  test('a message that arrived is not rendered again from the outbox', () => {
    const outgoing = (id: string, delivery: Delivery) => ({
      id,
      content: id,
      file_url: null,
      created_at: day1,
      delivery,
      reason: null,
    })
    const lines = linesOf(
      [at('a', 'me', day1)],
      [outgoing('a', 'waiting'), outgoing('b', 'refused'), outgoing('c', 'sending')],
      'me',
    )
    expect(lines.map(({ id, state }) => [id, state])).toEqual([
      ['a', 'read'],
      ['b', 'refused'],
      ['c', 'sending'],
    ])
  })
})
