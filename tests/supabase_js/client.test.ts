/** What a client of supabase-js can be told when it is made, and the methods that the other files leave out. */
import { readFileSync } from 'node:fs'
import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type RealtimeChannel,
  type Session,
  type SupabaseClient,
} from '@supabase/supabase-js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { client, eventually, mailbox, newMember, password, publishableKey, secretKey, url } from './support'

/** What `createClient` may be told. */
type Options = NonNullable<Parameters<typeof createClient>[2]>

const made: SupabaseClient[] = []
const inMemory = { persistSession: false, autoRefreshToken: false }

function clientWith(options: Options, key = publishableKey): SupabaseClient {
  const one = createClient(url, key, options)
  made.push(one)
  return one
}

/** Keeps what the client stores, as an application's secure storage would. */
function memoryStorage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
}

/** A fetch that keeps the headers of every request. */
function recordingFetch() {
  const sent: { url: string; headers: Headers }[] = []
  const recorded: typeof fetch = (input, init) => {
    sent.push({ url: String(input instanceof Request ? input.url : input), headers: new Headers(init?.headers) })
    return fetch(input, init)
  }
  return { sent, recorded }
}

const joined = (channel: RealtimeChannel) =>
  new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve()
      if (status === REALTIME_SUBSCRIBE_STATES.CHANNEL_ERROR) reject(error ?? new Error(status))
    })
  })

afterEach(async () => {
  vi.unstubAllGlobals()
  for (const one of made.splice(0)) {
    await one.removeAllChannels()
    await one.realtime.disconnect()
  }
})

describe('configuration', () => {
  test('a token of elsewhere: the callback is asked, and auth is not there', async () => {
    const { client: dana, id } = await newMember('Token From Elsewhere')
    const { data } = await dana.auth.getSession()
    const app = clientWith({ accessToken: () => Promise.resolve(data.session?.access_token ?? null) })
    const rows = await app.from('profiles').select('id').eq('id', id)
    expect(rows.data).toEqual([{ id }])
    expect(() => app.auth.getSession).toThrow(/accessToken/)
  })

  test('the session reaches rest, storage, functions and realtime by itself', async () => {
    const { email } = await newMember('One Session')
    const { sent, recorded } = recordingFetch()
    const app = clientWith({ auth: inMemory, global: { fetch: recorded, headers: { 'x-station': '7' } } })
    const { data } = await app.auth.signInWithPassword({ email, password })
    await app.from('profiles').select('id').limit(1)
    await app.storage.listBuckets()
    await app.functions.invoke('nothing-of-that-name')
    await joined(app.channel(`room-${email}`))
    const token = data.session?.access_token ?? ''
    for (const service of ['rest', 'storage', 'functions']) {
      const request = sent.find((one) => one.url.includes(`/${service}/v1/`))
      expect(request?.headers.get('authorization'), service).toBe(`Bearer ${token}`)
      expect(request?.headers.get('x-station'), service).toBe('7')
      expect(request?.headers.get('apikey'), service).toBe(publishableKey)
    }
    expect(app.realtime.accessTokenValue).toBe(token)
  })

  test('the flow is implicit or PKCE, in mails and for providers', async () => {
    for (const [flowType, wanted] of [
      ['implicit', /#access_token=/],
      ['pkce', /\?code=[\w-]+$/],
    ] as const) {
      const { email } = await newMember(`Flow ${flowType}`)
      const storage = memoryStorage()
      const app = clientWith({ auth: { flowType, storage, autoRefreshToken: false } })
      expect((await app.auth.signInWithOtp({ email })).error).toBeNull()
      const location = await eventually(() => followed(email))
      expect(location).toMatch(wanted)
      const provider = await app.auth.signInWithOAuth({ provider: 'github', options: { skipBrowserRedirect: true } })
      expect(new URL(provider.data.url ?? '').searchParams.has('code_challenge')).toBe(flowType === 'pkce')
    }
  })

  test('a session is kept in the storage that is given, or in memory alone', async () => {
    const { email } = await newMember('Kept Session')
    const storage = memoryStorage()
    const first = clientWith({ auth: { storage, autoRefreshToken: false } })
    await first.auth.signInWithPassword({ email, password })
    expect(storage.items.size).toBe(1)
    const again = clientWith({ auth: { storage, autoRefreshToken: false } })
    expect((await again.auth.getUser()).data.user?.email).toBe(email)
    await again.auth.signOut()
    expect(storage.items.size).toBe(0)
    const forgetful = memoryStorage()
    const app = clientWith({ auth: { storage: forgetful, persistSession: false, autoRefreshToken: false } })
    await app.auth.signInWithPassword({ email, password })
    expect((await app.auth.getSession()).data.session?.user.email).toBe(email)
    expect(forgetful.items.size).toBe(0)
  })

  test('two PKCE flows at once keep their verifiers apart', async () => {
    const { email } = await newMember('Two Flows')
    const options = { flowType: 'pkce', storage: memoryStorage(), autoRefreshToken: false } as const
    const app = clientWith({ auth: { ...options, experimental: { appendPkceFlowIdToRedirects: true } } })
    expect((await app.auth.signInWithOtp({ email, options: { emailRedirectTo: `${url}/` } })).error).toBeNull()
    const location = new URL((await eventually(() => followed(email))) ?? '')
    await app.auth.signInWithOAuth({ provider: 'github', options: { skipBrowserRedirect: true } })
    const flowId = location.searchParams.get('sb_flow_id') ?? ''
    const code = location.searchParams.get('code') ?? ''
    const exchanged = await app.auth.exchangeCodeForSession(code, { flowId })
    expect(exchanged.data.user?.email).toBe(email)
  })

  test('a session in the address of the page is taken up', async () => {
    const { email } = await newMember('From The Address')
    const mailing = clientWith({ auth: inMemory })
    await mailing.auth.signInWithOtp({ email })
    const location = new URL((await eventually(() => followed(email))) ?? '')
    vi.stubGlobal('document', {})
    vi.stubGlobal('window', { location: { href: location.href, hash: location.hash } })
    const ignoring = clientWith({ auth: { ...inMemory, storageKey: 'one', detectSessionInUrl: false } })
    expect((await ignoring.auth.getSession()).data.session).toBeNull()
    const detecting = clientWith({
      auth: { ...inMemory, storageKey: 'two', flowType: 'implicit', detectSessionInUrl: true },
    })
    expect((await detecting.auth.getSession()).data.session?.user.email).toBe(email)
  })

  test('a failed read is tried again, and a slow one is given up', async () => {
    let failures = 1
    const failing: typeof fetch = (input, init) =>
      failures-- > 0
        ? Promise.resolve(new Response(null, { status: 503, headers: { 'retry-after': '0' } }))
        : fetch(input, init)
    const app = clientWith({ auth: inMemory, global: { fetch: failing } }, secretKey)
    expect((await app.from('profiles').select('id').limit(1)).error).toBeNull()
    expect(failures).toBe(-1)
    const silent: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('given up'))))
    const hurried = clientWith({ auth: inMemory, db: { timeout: 20 }, global: { fetch: silent } })
    expect((await hurried.from('profiles').select('id').retry(false)).error?.message).toContain('given up')
  })

  test('headers of a trace pass the preflight and the request', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const preflight = await fetch(`${url}/rest/v1/profiles`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'apikey,baggage,traceparent,tracestate',
      },
    })
    const allowed = preflight.headers.get('access-control-allow-headers') ?? ''
    for (const name of ['baggage', 'traceparent', 'tracestate']) expect(allowed.toLowerCase()).toContain(name)
    const app = clientWith({ auth: inMemory, global: { headers: { traceparent } } }, secretKey)
    expect((await app.from('profiles').select('id').limit(1)).error).toBeNull()
  })
})

/** Where the link of the newest mail to an address leads to, once there is one. */
async function followed(email: string): Promise<string | null> {
  const listed = (await (await fetch(`${mailbox}?query=${encodeURIComponent(email)}`)).json()) as {
    messages: { id: string }[]
  }
  const newest = listed.messages[0]
  if (!newest) return null
  const mail = (await (await fetch(`${mailbox}/${newest.id}`)).json()) as { text: string }
  const link = /https?:\/\/\S+\/verify\S+/.exec(mail.text)?.[0]
  return link ? (await fetch(link, { redirect: 'manual' })).headers.get('location') : null
}

describe('sessions', () => {
  test('events tell of signing in, of changes and of signing out', async () => {
    const { email } = await newMember('Told Of Events')
    const app = clientWith({ auth: inMemory })
    const events: string[] = []
    const { data } = app.auth.onAuthStateChange((event) => events.push(event))
    await app.auth.signInWithPassword({ email, password })
    await app.auth.refreshSession()
    await app.auth.updateUser({ data: { rank: 'captain' } })
    await app.auth.signOut()
    await eventually(() => events.includes('SIGNED_OUT'))
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'SIGNED_OUT'])
    data.subscription.unsubscribe()
  })

  test('a session moves to another client, and one that has ended is refreshed', async () => {
    const { client: phone, id } = await newMember('Moved Session')
    const session = (await phone.auth.getSession()).data.session as Session
    const desk = clientWith({ auth: inMemory })
    const moved = await desk.auth.setSession(session)
    expect(moved.data.user?.id).toBe(id)
    const changed = await phone.auth.refreshSession()
    expect(changed.data.session?.refresh_token).not.toBe(session.refresh_token)
  })

  test('a code is asked for again before a password is changed', async () => {
    const { client: app, email } = await newMember('Asked Again')
    expect((await app.auth.reauthenticate()).error).toBeNull()
    const mail = await eventually(async () => {
      const listed = (await (await fetch(`${mailbox}?query=${encodeURIComponent(email)}`)).json()) as {
        messages: { id: string }[]
      }
      return listed.messages[0]
    })
    const { text } = (await (await fetch(`${mailbox}/${mail.id}`)).json()) as { text: string }
    const nonce = /\b\d{6}\b/.exec(text)?.[0] ?? ''
    expect((await app.auth.updateUser({ password: `${password}-new`, nonce })).error).toBeNull()
    const again = clientWith({ auth: inMemory })
    expect((await again.auth.signInWithPassword({ email, password: `${password}-new` })).error).toBeNull()
  })
})

describe('realtime', () => {
  test('channels are counted, left one by one or all at once, and the line is cut', async () => {
    const app = clientWith({ auth: inMemory })
    expect(app.realtime.isConnected()).toBe(false)
    const [one, two, three] = ['a', 'b', 'c'].map((name) => app.channel(`${name}-${crypto.randomUUID()}`))
    await Promise.all([joined(one!), joined(two!), joined(three!)])
    expect([app.realtime.isConnected(), app.realtime.connectionState(), app.getChannels().length]).toEqual([
      true,
      'open',
      3,
    ])
    expect(await one!.unsubscribe()).toBe('ok')
    expect(await app.removeChannel(two!)).toBe('ok')
    expect(await app.removeAllChannels()).toEqual(['ok'])
    expect(app.getChannels()).toEqual([])
    await app.realtime.disconnect()
    await eventually(() => !app.realtime.isConnected())
    app.realtime.connect()
    await eventually(() => app.realtime.isConnected())
  })

  test('heartbeats are answered, at the interval that is asked for', async () => {
    const beats: string[] = []
    const lines: string[] = []
    const app = clientWith({
      auth: inMemory,
      realtime: {
        heartbeatIntervalMs: 50,
        heartbeatCallback: (status) => beats.push(status),
        logger: (kind, message) => lines.push(`${kind} ${message}`),
        logLevel: 'info',
      },
    })
    await joined(app.channel(`beats-${crypto.randomUUID()}`))
    await eventually(() => beats.filter((status) => status === 'ok').length > 1)
    expect(lines.some((line) => line.includes('connected to'))).toBe(true)
  })

  test('own transport, own delays: a line that breaks is taken up again and the channel joined again', async () => {
    const opened: WebSocket[] = []
    class Transport extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(address, protocols)
        opened.push(this)
      }
    }
    const tries: number[] = []
    const app = clientWith({
      auth: inMemory,
      realtime: {
        transport: Transport,
        reconnectAfterMs: (count) => {
          tries.push(count)
          return 20
        },
      },
    })
    const statuses: string[] = []
    app.channel(`broken-${crypto.randomUUID()}`).subscribe((status) => statuses.push(status))
    await eventually(() => statuses.includes('SUBSCRIBED'))
    opened[0]?.close(4000)
    await eventually(() => statuses.filter((status) => status === 'SUBSCRIBED').length === 2)
    expect(opened.length).toBe(2)
    expect(tries.length).toBeGreaterThan(0)
  })

  test('the token comes from a callback, and the line outlives its channels for a while', async () => {
    const { client: dana } = await newMember('Callback Token')
    const token = (await dana.auth.getSession()).data.session?.access_token ?? null
    let asked = 0
    const app = clientWith({
      accessToken: () => {
        asked += 1
        return Promise.resolve(token)
      },
      realtime: { disconnectOnEmptyChannelsAfterMs: 300 },
    })
    const channel = app.channel(`short-${crypto.randomUUID()}`)
    await joined(channel)
    expect(asked).toBeGreaterThan(0)
    await app.removeChannel(channel)
    expect(app.realtime.isConnected()).toBe(true)
    await eventually(() => !app.realtime.isConnected())
  })

  test.each(['1.0.0', '2.0.0'])('protocol %s', async (vsn) => {
    const app = clientWith({ auth: inMemory, realtime: { vsn } })
    const heard: unknown[] = []
    const channel = app
      .channel(`vsn-${crypto.randomUUID()}`, { config: { broadcast: { self: true, ack: true } } })
      .on('broadcast', { event: 'hi' }, ({ payload }) => heard.push(payload))
    await joined(channel)
    expect(await channel.send({ type: 'broadcast', event: 'hi', payload: { vsn } })).toBe('ok')
    await eventually(() => heard.length > 0)
    expect(heard).toEqual([{ vsn }])
  })
})

describe('storage', () => {
  const admin = client(secretKey)
  const name = `more-${crypto.randomUUID().slice(0, 8)}`
  const other = `${name}-other`
  const png = readFileSync(new URL('../../web/public/apple-touch-icon.png', import.meta.url))

  test('streams, other buckets, images, headers of a file, nonces and aborts', async () => {
    for (const bucket of [name, other]) {
      expect((await admin.storage.createBucket(bucket, { public: true })).error).toBeNull()
    }
    const files = admin.storage.from(name)
    const options = { contentType: 'text/x-note', cacheControl: '77', metadata: { by: 'ada' } }
    expect((await files.upload('a.txt', 'streamed', options)).error).toBeNull()
    const read = await fetch(files.getPublicUrl('a.txt').data.publicUrl)
    expect([read.headers.get('content-type'), read.headers.get('cache-control')]).toEqual(['text/x-note', 'max-age=77'])
    expect((await files.info('a.txt')).data?.metadata).toMatchObject({ by: 'ada' })
    const { data: stream } = await files.download('a.txt').asStream()
    expect(await new Response(stream).text()).toBe('streamed')
    expect((await files.copy('a.txt', 'b.txt', { destinationBucket: other })).error).toBeNull()
    expect((await files.move('a.txt', 'c.txt', { destinationBucket: other })).error).toBeNull()
    expect((await admin.storage.from(other).list()).data?.map((one) => one.name)).toEqual(['b.txt', 'c.txt'])
    expect((await files.exists('a.txt')).data).toBe(false)
    await files.upload('dot.png', png, { contentType: 'image/png' })
    const image = await files.download('dot.png', { transform: { width: 8, height: 4, resize: 'fill' } })
    const bytes = new DataView(await image.data!.arrayBuffer())
    expect([bytes.getUint32(16), bytes.getUint32(20)]).toEqual([8, 4])
    const fresh = files.getPublicUrl('dot.png', { cacheNonce: 'v2' }).data.publicUrl
    expect(fresh).toContain('cacheNonce=v2')
    expect((await fetch(fresh)).status).toBe(200)
    const aborted = await files.download('dot.png', undefined, { signal: AbortSignal.abort() })
    expect(aborted.error?.message).toMatch(/abort/i)
    const missing = await files.download('none.png')
    expect(missing.error).toMatchObject({ status: 400, statusCode: '404' })
  })
})
