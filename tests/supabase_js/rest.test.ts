/** postgrest-js inside supabase-js: the queries of the application on /rest/v1. */
import { beforeAll, describe, expect, test } from 'vitest'
import { client, newMember, publishableKey, secretKey, signedIn, url } from './support'

type Member = Awaited<ReturnType<typeof newMember>>
let ada: Member
let ben: Member

beforeAll(async () => {
  ada = await newMember('Ada Test')
  ben = await newMember('Ben Test')
})

describe('reading', () => {
  test('a visitor reads published articles with their author, and nothing else of members', async () => {
    const visitor = client()
    const { data, error } = await visitor
      .from('posts')
      .select('slug,title,author:profiles(full_name,avatar_url,position,department)')
      .match({ is_command_post: false, is_blog_post: true, is_public_blog: true })
      .order('created_at', { ascending: false })
      .limit(3)
    expect(error).toBeNull()
    expect(data).toHaveLength(3)
    expect(data?.[0]).toHaveProperty('author.full_name')
    const hidden = await visitor.from('profiles').select('email')
    expect(hidden.error?.code).toBe('42501')
  })

  test('filters, `or`, ranges and an exact count', async () => {
    const { client: dana } = await signedIn()
    const page = await dana
      .from('posts')
      .select('id,kind', { count: 'exact' })
      .in('kind', ['lesson', 'question'])
      .or('comment_count.gt.0,reaction_count.gt.0')
      .not('content', 'is', null)
      .range(0, 1)
    expect(page.error).toBeNull()
    expect(page.data).toHaveLength(2)
    expect(page.count).toBeGreaterThan(2)
    const head = await dana.from('posts').select('*', { count: 'exact', head: true })
    expect(head.data).toBeNull()
    expect(head.count).toBeGreaterThan(10)
  })

  test('single, maybeSingle, csv, explain rejected, abort', async () => {
    const { client: dana, id } = await signedIn()
    const me = await dana.from('profiles').select('id').eq('id', id).single()
    expect(me.data).toEqual({ id })
    const none = await dana.from('profiles').select('id').eq('id', crypto.randomUUID()).maybeSingle()
    expect([none.data, none.error]).toEqual([null, null])
    const missing = await dana.from('profiles').select('id').eq('id', crypto.randomUUID()).single()
    expect([missing.status, missing.error?.code]).toEqual([406, 'PGRST116'])
    const csv = await dana.from('profiles').select('id,rank').eq('id', id).csv()
    expect(csv.data).toMatch(new RegExp(`^id,rank\n${id},`))
    const aborted = await dana.from('posts').select().abortSignal(AbortSignal.abort())
    expect(aborted.error?.message).toMatch(/abort/i)
  })

  test('errors keep their four keys', async () => {
    // @ts-expect-error -- the generated types reject what the server must reject
    const { data, error, status } = await client().from('no_such_table').select()
    expect([data, status]).toEqual([null, 404])
    expect(error).toMatchObject({ code: 'PGRST205', message: expect.stringContaining('no_such_table') as string })
    expect(error).toHaveProperty('details')
    expect(error).toHaveProperty('hint')
  })
})

describe('writing', () => {
  test('insert, update, upsert and delete return the requested rows', async () => {
    const award = { title: 'Unit citation', awarded_on: '2024-05-01' }
    const made = await ada.client.from('awards').insert(award).select().single()
    expect(made.error).toBeNull()
    expect(made.data).toMatchObject({ ...award, user_id: ada.id })
    const id = (made.data as { id: string }).id
    const changed = await ada.client.from('awards').update({ title: 'Merit' }).eq('id', id).select('title')
    expect(changed.data).toEqual([{ title: 'Merit' }])
    const gone = await ada.client.from('awards').delete().eq('id', id).select('id')
    expect(gone.data).toEqual([{ id }])
  })

  test('another member changes nothing', async () => {
    const made = await ada.client.from('awards').insert({ title: 'Mine' }).select('id').single()
    const id = (made.data as { id: string }).id
    expect((await ben.client.from('awards').update({ title: 'Yours' }).eq('id', id).select()).data).toEqual([])
    expect((await ben.client.from('awards').delete().eq('id', id).select()).data).toEqual([])
    const forged = await ben.client.from('awards').insert({ title: 'x', user_id: ada.id })
    expect(forged.error?.code).toBe('42501')
  })

  test('one connection per pair, whoever requests it', async () => {
    const pair = { user_id: ada.id, connected_user_id: ben.id, status: 'pending' }
    expect((await ada.client.from('connections').insert(pair)).error).toBeNull()
    const back = await ben.client
      .from('connections')
      .insert({ user_id: ben.id, connected_user_id: ada.id, status: 'pending' })
    expect([back.status, back.error?.code]).toEqual([409, '23505'])
    const accepted = await ben.client
      .from('connections')
      .update({ status: 'accepted', updated_at: new Date().toISOString() })
      .eq('connected_user_id', ben.id)
      .select('status')
    expect(accepted.data).toEqual([{ status: 'accepted' }])
    const tied = await ada.client.rpc('are_users_connected', { user_id_1: ada.id, user_id_2: ben.id })
    expect(tied.data).toBe(true)
  })

  test('a header of one request reaches the policies: a waitlist row is visible only with its e-mail', async () => {
    const visitor = client()
    const email = `${crypto.randomUUID()}@example.org`
    const joined = await visitor.from('waitlist').insert({ email, status: 'waitlist' })
    expect(joined.error).toBeNull()
    const listed = await visitor.from('waitlist').select('id,status')
    expect(listed.data).toEqual([])
    const named = await visitor
      .from('waitlist')
      .select('status')
      .eq('email', email)
      .setHeader('x-waitlist-email', email)
    expect(named.data).toEqual([{ status: 'waitlist' }])
  })
})

describe('keys', () => {
  test('an unknown key is rejected, the secret key bypasses row security', async () => {
    const stranger = await client(`${publishableKey}x`).from('posts').select('id')
    expect(stranger.status).toBe(401)
    const all = await client(secretKey).from('waitlist').select('id', { count: 'exact', head: true })
    expect(all.count).toBeGreaterThan(0)
    expect((await fetch(`${url}/rest/v1/`, { headers: { apikey: publishableKey } })).status).toBe(403)
    expect((await fetch(`${url}/rest/v1/`, { headers: { apikey: secretKey } })).status).toBe(200)
  })
})
