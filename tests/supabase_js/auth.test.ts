/** auth-js inside supabase-js: every authentication flow, with real mails. */
import { describe, expect, test } from 'vitest'
import { client, eventually, mailbox, newMember, password, url } from './support'

interface Mail {
  id: string
  subject: string
  to: string[]
}

/** The link in the newest mail to an address. */
async function linkFor(email: string): Promise<string> {
  const id = await eventually(async () => {
    const listed = (await (await fetch(`${mailbox}?query=${encodeURIComponent(email)}`)).json()) as { messages: Mail[] }
    return listed.messages[0]?.id
  })
  const mail = (await (await fetch(`${mailbox}/${id}`)).json()) as { text: string }
  const link = /https?:\/\/\S+\/verify\S+/.exec(mail.text)?.[0]
  if (!link) throw new Error(`no link in ${mail.text}`)
  return link
}

const address = () => `${crypto.randomUUID().slice(0, 12)}@example.org`

describe('signing up', () => {
  test('needs the link of the mail, then signs in', async () => {
    const email = address()
    const app = client()
    const { data, error } = await app.auth.signUp({ email, password, options: { data: { full_name: 'New Member' } } })
    expect(error).toBeNull()
    expect(data.session).toBeNull()
    expect((await app.auth.signInWithPassword({ email, password })).error?.code).toBe('email_not_confirmed')
    const followed = await fetch(await linkFor(email), { redirect: 'manual' })
    expect(followed.status).toBe(303)
    expect(followed.headers.get('location')).toMatch(new RegExp(`^${url}/?#access_token=`))
    const signedIn = await app.auth.signInWithPassword({ email, password })
    expect(signedIn.data.user?.email_confirmed_at).toBeTruthy()
    const profile = await app
      .from('profiles')
      .select('full_name')
      .eq('id', signedIn.data.user?.id ?? '')
      .single()
    expect(profile.data).toEqual({ full_name: 'New Member' })
  })

  test('of a taken address reveals nothing', async () => {
    const { email } = await newMember('Taken Address')
    const { data, error } = await client().auth.signUp({ email, password })
    expect(error).toBeNull()
    expect(data.user?.identities).toEqual([])
  })

  test('rejects a weak password with its reason', async () => {
    const { error } = await client().auth.signUp({ email: address(), password: 'short' })
    expect(error).toMatchObject({ code: 'weak_password', status: 422, reasons: ['length'] })
  })
})

describe('sessions', () => {
  test('a wrong password and an unknown address get the same response', async () => {
    const { email } = await newMember('Right Person')
    const wrong = await client().auth.signInWithPassword({ email, password: 'not the password' })
    const unknown = await client().auth.signInWithPassword({ email: address(), password })
    expect(wrong.error).toMatchObject({ code: 'invalid_credentials', status: 400 })
    expect(unknown.error?.message).toBe(wrong.error?.message)
  })

  test('refresh rotates the token, and claims can be read', async () => {
    const { client: app } = await newMember('Refresh Me')
    const before = (await app.auth.getSession()).data.session
    const { data, error } = await app.auth.refreshSession()
    expect(error).toBeNull()
    expect(data.session?.refresh_token).not.toBe(before?.refresh_token)
    const claims = await app.auth.getClaims()
    expect(claims.data?.claims).toMatchObject({ role: 'authenticated', aal: 'aal1' })
  })

  test('signing out globally ends every session, locally only this one', async () => {
    const { client: phone, email } = await newMember('Two Devices')
    const desk = client()
    await desk.auth.signInWithPassword({ email, password })
    expect((await desk.auth.signOut({ scope: 'local' })).error).toBeNull()
    expect((await phone.auth.getUser()).data.user?.email).toBe(email)
    await desk.auth.signInWithPassword({ email, password })
    expect((await desk.auth.signOut({ scope: 'global' })).error).toBeNull()
    expect((await phone.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  })

  test('the user changes metadata and password', async () => {
    const { client: app, email } = await newMember('Change Me')
    const changed = await app.auth.updateUser({ data: { shift: 'B' }, password: `${password}-new` })
    expect(changed.data.user?.user_metadata).toMatchObject({ shift: 'B' })
    expect((await client().auth.signInWithPassword({ email, password })).error?.code).toBe('invalid_credentials')
    expect((await client().auth.signInWithPassword({ email, password: `${password}-new` })).error).toBeNull()
  })
})

describe('mails', () => {
  test('recovery leads to a session that may set a new password', async () => {
    const { email } = await newMember('Forgetful')
    const app = client()
    expect((await app.auth.resetPasswordForEmail(email, { redirectTo: `${url}/auth/callback` })).error).toBeNull()
    const token = new URL(await linkFor(email)).searchParams.get('token') ?? ''
    const { data, error } = await app.auth.verifyOtp({ type: 'recovery', token_hash: token })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
    expect((await app.auth.verifyOtp({ type: 'recovery', token_hash: token })).error?.code).toBe('otp_expired')
  })

  test('recovery of an unknown address gets the same response and sends nothing', async () => {
    const email = address()
    expect((await client().auth.resetPasswordForEmail(email)).error).toBeNull()
    const listed = (await (await fetch(`${mailbox}?query=${encodeURIComponent(email)}`)).json()) as { messages: Mail[] }
    expect(listed.messages).toEqual([])
  })

  test('a magic link signs in, and never redirects to a foreign site', async () => {
    const { email } = await newMember('Magic Link')
    const app = client()
    const asked = await app.auth.signInWithOtp({ email, options: { emailRedirectTo: 'https://evil.example/steal' } })
    expect(asked.error).toBeNull()
    const followed = await fetch(await linkFor(email), { redirect: 'manual' })
    expect(followed.headers.get('location')).toMatch(new RegExp(`^${url}`))
  })
})
