/** realtime-js inside supabase-js: row changes under row security, broadcast, presence. */
import { REALTIME_SUBSCRIBE_STATES as states, type RealtimeChannel } from '@supabase/supabase-js'
import { afterEach, describe, expect, test } from 'vitest'
import { type Client, client, eventually, newMember } from './support'

const clients: Client[] = []

function kept<T extends { client: Client }>(member: T): T {
  clients.push(member.client)
  return member
}

function subscribed(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === states.SUBSCRIBED) resolve()
      else if (status !== states.CLOSED) reject(error ?? new Error(status))
    })
  })
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((made) => made.removeAllChannels()))
})

describe('row changes', () => {
  test('reach the member they are for, with the row, and nobody else', async () => {
    const asked = kept(await newMember('Asked Member'))
    const stranger = kept(await newMember('Some Stranger'))
    const asker = await newMember('Asking Member')
    const seen: unknown[] = []
    const overheard: unknown[] = []
    const mine = asked.client
      .channel(`connections:${asked.id}`)
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'connections', filter: `connected_user_id=eq.${asked.id}` },
        (change) => seen.push(change),
      )
    const theirs = stranger.client
      .channel('all connections')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'connections' }, (change) =>
        overheard.push(change),
      )
    await Promise.all([subscribed(mine), subscribed(theirs)])
    await asker.client.from('connections').insert({ user_id: asker.id, connected_user_id: asked.id, status: 'pending' })
    const change = await eventually(() => seen[0])
    expect(change).toMatchObject({
      eventType: 'INSERT',
      schema: 'public',
      table: 'connections',
      new: { user_id: asker.id, connected_user_id: asked.id, status: 'pending' },
      errors: null,
    })
    await asked.client.from('connections').update({ status: 'accepted' }).eq('connected_user_id', asked.id)
    expect(await eventually(() => seen[1])).toMatchObject({ eventType: 'UPDATE', new: { status: 'accepted' } })
    expect(overheard).toEqual([])
  })

  test('a deleted notification disappears live', async () => {
    const admin = kept(await newMember('Reads Alone'))
    const asker = await newMember('Asks Once')
    const { data: row } = await asker.client
      .from('connections')
      .insert({ user_id: asker.id, connected_user_id: admin.id, status: 'pending' })
      .select('id')
      .single()
    const id = crypto.randomUUID()
    const notice = {
      id,
      user_id: admin.id,
      type: 'connection',
      title: 'A request',
      content: 'x',
      reference_id: row?.id as string,
      metadata: {},
      seen: false,
    }
    expect((await asker.client.from('notifications').insert(notice)).error).toBeNull()
    const seen: { eventType: string; old: unknown }[] = []
    const channel = admin.client
      .channel('mine')
      .on(
        'postgres_changes',
        { event: 'DELETE', schema: 'public', table: 'notifications', filter: `user_id=eq.${admin.id}` },
        (change) => seen.push(change),
      )
    await subscribed(channel)
    await admin.client.from('notifications').delete().eq('id', id)
    expect((await eventually(() => seen[0])).old).toMatchObject({ id })
  })
})

describe('channels', () => {
  test('a broadcast reaches the others, and the sender only with `self`', async () => {
    const one = client()
    const two = client()
    clients.push(one, two)
    const heard: string[] = []
    const name = `room-${crypto.randomUUID()}`
    const sender = one
      .channel(name, { config: { broadcast: { ack: true } } })
      .on('broadcast', { event: 'hi' }, () => heard.push('one'))
    const receiver = two
      .channel(name)
      .on('broadcast', { event: 'hi' }, ({ payload }) => heard.push(String((payload as { from: string }).from)))
    await Promise.all([subscribed(sender), subscribed(receiver)])
    expect(await sender.send({ type: 'broadcast', event: 'hi', payload: { from: 'sender' } })).toBe('ok')
    await eventually(() => heard.length > 0)
    expect(heard).toEqual(['sender'])
  })

  test('presence reports who joined and who left', async () => {
    const one = client()
    const two = client()
    clients.push(one, two)
    const name = `here-${crypto.randomUUID()}`
    const first = one.channel(name, { config: { presence: { key: 'one', enabled: true } } })
    const second = two.channel(name, { config: { presence: { key: 'two', enabled: true } } })
    const left: string[] = []
    first.on('presence', { event: 'leave' }, ({ key }) => left.push(key))
    await Promise.all([subscribed(first), subscribed(second)])
    await first.track({ crew: 'A' })
    await second.track({ crew: 'B' })
    await eventually(() => Object.keys(first.presenceState()).length === 2)
    expect(Object.keys(second.presenceState()).sort()).toEqual(['one', 'two'])
    await two.removeChannel(second)
    await eventually(() => left.includes('two'))
  })
})
