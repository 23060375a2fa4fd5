import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answerConnection, deleteConnection, requestConnection } from '@/api/connections/mutations'
import { connectionListQuery, connectionsWithQuery } from '@/api/connections/queries'
import { searchPeople } from '@/api/people/queries'
import { feedQuery } from '@/features/feed/api/queries'
import { markRead, sendMessage } from '@/features/messages/api/mutations'
import { conversationsQuery, enrich, recipientQuery, threadQuery } from '@/features/messages/api/queries'
import { rowsOf } from '@/lib/live-lists/keyset'
import { makeQueryClient } from '@/lib/supabase/query-client'
import { supabase } from '@/lib/supabase/client'
import { type LoggedRequest, requestsTo, ben, me, memberBackend, profile } from '@/test/member-backend'
import { withServer } from '@/test/server'

withServer()
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))

const query = (request: LoggedRequest | undefined) => Object.fromEntries(request?.query ?? [])
const message = (id: string, from: string, to: string) => ({
  id,
  sender_id: from,
  recipient_id: to,
  content: id,
  file_url: null,
  read: false,
  created_at: '2026-01-05T12:00:00Z',
})

describe('messages', () => {
  it('§7.19 either side, newest first, by page', async () => {
    const log = memberBackend({ messages: [message('2', ben, me), message('1', me, ben)] })
    expect(rowsOf(await makeQueryClient().fetchInfiniteQuery(threadQuery(me, ben))).map(({ id }) => id)).toEqual([
      '2',
      '1',
    ])
    const [request] = requestsTo(log, 'GET', 'messages')
    expect(request?.query.get('or')).toBe(
      `(and(sender_id.eq.${me},recipient_id.eq.${ben}),and(sender_id.eq.${ben},recipient_id.eq.${me}))`,
    )
    expect(request?.query.get('order')).toBe('created_at.desc,id.desc')
  })

  it('§3.18 §7.7 a live message is loaded with both profiles in one request', async () => {
    const log = memberBackend({ profiles: [profile(me, 'Dana Whitcomb'), profile(ben, 'Ben Adeyemi')] })
    const enriched = await enrich(message('2', ben, me))
    expect(enriched).toMatchObject({ sender_profile: { full_name: 'Ben Adeyemi' }, recipient_profile: { id: me } })
    expect(requestsTo(log, 'GET', 'profiles').map(query)).toEqual([
      { select: 'id,full_name,avatar_url', id: `in.(${ben},${me})` },
    ])
  })

  it('§3.19 conversations load thirty at a time, each page from the cursor of the last one', async () => {
    const row = (n: number) => ({
      participant_id: `p${n}`,
      participant_name: `Partner ${n}`,
      participant_avatar: null,
      unread_count: 0,
      last_message_id: `m${n}`,
      last_message_content: 'Hello',
      last_message_at: `2026-01-05T12:00:${String(59 - n).padStart(2, '0')}Z`,
      last_message_is_mine: false,
      last_message_is_read: true,
    })
    const log = memberBackend({
      'rpc/conversations': ({ body }) =>
        (body as { before_id?: string }).before_id ? [row(30)] : Array.from({ length: 30 }, (_, n) => row(n)),
    })
    const list = await makeQueryClient().fetchInfiniteQuery({ ...conversationsQuery(me, 'part'), pages: 3 })
    expect(rowsOf(list)).toHaveLength(31)
    expect(log.map(({ body }) => body)).toEqual([
      { search: 'part', page_size: 30 },
      { search: 'part', page_size: 30, before_at: '2026-01-05T12:00:30Z', before_id: 'm29' },
    ])
  })

  it('§7.20 §3.18 is inserted as unread', async () => {
    const row = message('1', me, ben)
    const log = memberBackend({ messages: [row] })
    await sendMessage({ id: '1', sender_id: me, recipient_id: ben, content: 'Bring the halyard', file_url: null })
    expect(requestsTo(log, 'POST', 'messages')[0]?.body).toEqual({
      id: '1',
      sender_id: me,
      recipient_id: ben,
      content: 'Bring the halyard',
      file_url: null,
      read: false,
    })
    expect(log).toHaveLength(1)
  })

  it('retrying a message that arrived returns the existing row', async () => {
    const row = message('1', me, ben)
    const conflict = { code: '23505', message: 'duplicate key', details: null, hint: null }
    const log = memberBackend({
      messages: [row],
      'POST messages': () => new Response(JSON.stringify(conflict), { status: 409 }),
    })
    expect(await sendMessage({ id: '1', sender_id: me, recipient_id: ben, content: '1', file_url: null })).toEqual(row)
    expect(query(requestsTo(log, 'GET', 'messages')[0])).toMatchObject({ id: 'eq.1' })
  })

  it('§7.21 the recipient marks a sender’s unread messages as read', async () => {
    const log = memberBackend()
    await markRead(me, ben)
    const [patch] = requestsTo(log, 'PATCH', 'messages')
    expect(patch?.body).toEqual({ read: true })
    expect(query(patch)).toEqual({ recipient_id: `eq.${me}`, sender_id: `eq.${ben}`, read: 'eq.false' })
  })

  it('§7.8 whether strangers may write is read from the recipient’s row', async () => {
    const closed = { allow_messages_from_anyone: false }
    const log = memberBackend({ profiles: [profile(ben, 'Ben Adeyemi', { privacy_settings: closed })] })
    expect(await makeQueryClient().fetchQuery(recipientQuery(ben))).toMatchObject({ isOpen: false })
    const [request] = requestsTo(log, 'GET', 'profiles')
    expect(request?.query.get('select')).toContain('privacy_settings')
    expect(request?.query.get('id')).toBe(`eq.${ben}`)
  })
})

describe('connections', () => {
  const row = { id: 'c1', user_id: me, connected_user_id: ben, status: 'pending', created_at: '2026-01-05T12:00:00Z' }

  it('§7.23 on either side, by page', async () => {
    const log = memberBackend({ connections: [{ ...row, status: 'accepted', asker: null, asked: null }] })
    const [connection] = rowsOf(await makeQueryClient().fetchInfiniteQuery(connectionListQuery(me, 'connections')))
    expect(connection).toMatchObject({ otherId: ben, connectionStatus: 'accepted' })
    const [request] = requestsTo(log, 'GET', 'connections')
    expect(request?.query.get('or')).toBe(`(user_id.eq.${me},connected_user_id.eq.${me})`)
    expect(request?.query.get('limit')).toBe('24')
  })

  it('§7.24 between two members', async () => {
    const log = memberBackend({ connections: [row] })
    const connections = await makeQueryClient().fetchQuery(connectionsWithQuery(me, [ben]))
    expect(connections[ben]).toEqual({ connectionId: 'c1', connectionStatus: 'pending', isRequester: true })
    expect(requestsTo(log, 'GET', 'connections')[0]?.query.get('or')).toContain(
      `and(user_id.eq.${me},connected_user_id.in.(${ben}))`,
    )
  })

  it('§7.25 §1.5 a request is inserted as pending', async () => {
    const log = memberBackend({ connections: [row] })
    expect(await requestConnection(me, ben)).toMatchObject({ made: true, connection: { connectionStatus: 'pending' } })
    expect(requestsTo(log, 'POST', 'connections')[0]?.body).toEqual({
      user_id: me,
      connected_user_id: ben,
      status: 'pending',
    })
  })

  it('§7.26 §1.5 an answer sets status and time by id', async () => {
    const log = memberBackend({ connections: [{ status: 'accepted' }] })
    await answerConnection('c1', 'accepted')
    const [patch] = requestsTo(log, 'PATCH', 'connections')
    expect(patch?.query.get('id')).toBe('eq.c1')
    const { status, updated_at } = patch!.body as { status: string; updated_at: string }
    expect(status).toBe('accepted')
    expect(Math.abs(Date.parse(updated_at) - Date.now())).toBeLessThan(60_000)
  })

  it('§7.27 §1.5 removing deletes by id', async () => {
    const log = memberBackend()
    await deleteConnection('c1')
    expect(query(requestsTo(log, 'DELETE', 'connections')[0])).toEqual({ id: 'eq.c1' })
  })
})

describe('people', () => {
  it('§7.11 §9.6 §5.18 when nobody is found, up to 50 profiles are filtered, never the member’s own', async () => {
    const log = memberBackend({
      'rpc/search_profiles': [],
      profiles: [profile(ben, 'Ben Adeyemi'), profile('x', 'Ola Strand')],
    })
    const found = await searchPeople(me, 'adeyemi', new AbortController().signal)
    expect(found.map(({ id }) => id)).toEqual([ben])
    const [broad] = requestsTo(log, 'GET', 'profiles')
    expect([broad?.query.get('limit'), broad?.query.get('id')]).toEqual(['50', `neq.${me}`])
  })
})

describe('posts', () => {
  it('§7.12 are loaded with their authors', async () => {
    const post = { id: 'p1', user_id: ben, content: 'Halyards', author: profile(ben, 'Ben Adeyemi'), mine: [] }
    const log = memberBackend({ posts: [{ ...post, created_at: '2026-01-05T12:00:00Z' }] })
    const [first] = rowsOf(await makeQueryClient().fetchInfiniteQuery(feedQuery(me, { kind: null, authorId: null })))
    expect(first?.author?.full_name).toBe('Ben Adeyemi')
    expect(requestsTo(log, 'GET', 'posts')[0]?.query.get('select')).toContain('author:profiles(')
    expect(log).toHaveLength(1)
  })
})

it('§7.54 two live events a second are requested; §9.35 heartbeat, time-out and reconnect back-off', () => {
  const { heartbeatIntervalMs, timeout, reconnectAfterMs } = supabase.realtime as unknown as {
    heartbeatIntervalMs: number
    timeout: number
    reconnectAfterMs: (tries: number) => number
  }
  expect(new URL(supabase.realtime.endpointURL()).searchParams.get('eventsPerSecond')).toBe('2')
  expect([heartbeatIntervalMs, timeout]).toEqual([30_000, 10_000])
  expect([1, 2, 3, 4, 5, 9].map(reconnectAfterMs)).toEqual([1_000, 2_000, 5_000, 10_000, 10_000, 10_000])
})
