import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderApp } from '@/test/render-app'
import { origin, probeHandler, rest, server, storeSession, withServer } from '@/test/server'

withServer()
beforeEach(() => server.use(probeHandler))

const main = () => within(screen.getByRole('main'))

describe('the authentication pages', () => {
  it('§2.2 /login requests e-mail and password, and focuses and marks the missing field', async () => {
    const user = userEvent.setup()
    renderApp('/login')
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign In' })).toBeInTheDocument()
    await user.click(main().getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Enter your password')).toBeInTheDocument()
    const email = screen.getByRole('textbox', { name: 'Email' })
    expect(email).toBeInvalid()
    await expect.poll(() => document.activeElement).toBe(email)
    expect(screen.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute('href', '/forgot-password')
    expect(main().getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')
  })

  it('a rejected sign-in does not reveal whether the account exists', async () => {
    const user = userEvent.setup()
    server.use(
      http.post(`${origin}/auth/v1/token`, () =>
        HttpResponse.json({ error_code: 'invalid_credentials', msg: 'Invalid login credentials' }, { status: 400 }),
      ),
    )
    renderApp('/login')
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'dana@example.org')
    await user.type(screen.getByLabelText('Password'), 'wrong')
    await user.click(main().getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('That email and password don’t match.')
  })

  it('§2.3 /register takes name, e-mail and a strong password, and shows the check-your-mail page', async () => {
    const user = userEvent.setup()
    let body: unknown
    server.use(
      http.post(`${origin}/auth/v1/signup`, async ({ request }) => {
        body = await request.json()
        return HttpResponse.json({ id: '1', email: 'ada@example.org', user_metadata: {}, app_metadata: {} })
      }),
    )
    renderApp('/register')
    await user.type(await screen.findByRole('textbox', { name: 'Full name' }), 'Ada Lopez')
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'ada@example.org')
    await user.type(screen.getByLabelText('Password'), 'short')
    await user.click(screen.getByRole('button', { name: 'Create account' }))
    expect(await screen.findByText('Use at least 8 characters')).toBeInTheDocument()
    await user.type(screen.getByLabelText('Password'), 'shor')
    await user.click(screen.getByRole('button', { name: 'Create account' }))
    expect(await screen.findByText('Make it harder to guess: longer, or with less common words')).toBeInTheDocument()
    expect(body).toBeUndefined()
    await user.type(screen.getByLabelText('Password'), '-ladder-kettle-violet')
    await user.click(screen.getByRole('button', { name: 'Create account' }))
    const title = await screen.findByRole('heading', { name: 'Check your inbox' })
    await waitFor(() => expect(title).toHaveFocus())
    expect(body).toMatchObject({ email: 'ada@example.org', data: { full_name: 'Ada Lopez' } })
  })
})

describe('§2.6 /invitation', () => {
  const invitationStatus = (status: string | null) =>
    http.post(rest('rpc/invitation_status'), async ({ request }) => {
      expect(await request.json()).toEqual({ address: 'ada@example.org' })
      return HttpResponse.json(status)
    })

  it.each([
    ['invited', 'Your seat is ready'],
    ['expired', 'This invitation has expired'],
    ['used', 'This invitation was already used'],
    ['waiting', 'You’re on the waitlist'],
    [null, 'No invitation for this email'],
  ])('an address that is %s gets: %s', async (status, title) => {
    server.use(invitationStatus(status))
    renderApp('/invitation')
    // The page reads window.location, which a memory router does not set: the address is typed.
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'Ada@Example.org')
    await user.click(screen.getByRole('button', { name: 'Check my invitation' }))
    const toDo = status === 'invited' ? 'Create account' : 'Use a different email'
    expect(await screen.findByRole('button', { name: toDo })).toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeInTheDocument()
    if (status === 'invited') {
      expect(screen.getByRole('textbox', { name: 'Email' })).toHaveAttribute('readonly')
      expect(screen.getByRole('textbox', { name: 'Email' })).toHaveValue('ada@example.org')
    } else {
      await user.click(screen.getByRole('button', { name: toDo }))
      expect(await screen.findByRole('button', { name: 'Check my invitation' })).toBeInTheDocument()
    }
  })

  it('one click requests a new invitation; a failure is shown, and can be retried', async () => {
    const user = userEvent.setup()
    server.use(
      invitationStatus('expired'),
      http.post(rest('rpc/request_invitation'), () => HttpResponse.json({ message: 'down' }, { status: 500 }), {
        once: true,
      }),
    )
    renderApp('/invitation')
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'ada@example.org')
    await user.click(screen.getByRole('button', { name: 'Check my invitation' }))
    const ask = await screen.findByRole('button', { name: 'Request a new invitation' })
    await user.click(ask)
    expect(await screen.findByRole('alert')).toHaveTextContent('We couldn’t send that. Please try again.')
    server.use(http.post(rest('rpc/request_invitation'), () => HttpResponse.json(true)))
    await user.click(ask)
    expect(await screen.findByRole('status')).toHaveTextContent('Got it. We’ll email you')
    expect(ask).not.toBeInTheDocument()
  })
})

describe('a link while somebody is signed in', () => {
  it('asks before it swaps the member, and changes nothing until then', async () => {
    const user = userEvent.setup()
    let verified = 0
    storeSession()
    server.use(
      http.post(`${origin}/auth/v1/verify`, () => {
        verified += 1
        return HttpResponse.json({ error_code: 'otp_expired', msg: 'expired' }, { status: 403 })
      }),
    )
    window.history.replaceState(null, '', '/auth/callback?token_hash=h&type=magiclink')
    renderApp('/auth/callback')
    expect(await screen.findByRole('heading', { name: 'Sign in as someone else?' })).toBeInTheDocument()
    expect(screen.getByText(/You’re signed in as dana@example.org/)).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Stay signed in' })).toHaveAttribute('href', '/feed')
    expect(verified).toBe(0)
    await user.click(screen.getByRole('button', { name: 'Use the link' }))
    expect(await screen.findByRole('heading', { name: 'That link didn’t work' })).toBeInTheDocument()
    expect(verified).toBe(1)
  })
})

describe('the code of an e-mail, typed instead of following its link', () => {
  const answerTo = (sent: Record<string, unknown>[]) =>
    http.post(`${origin}/auth/v1/verify`, async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>)
      return HttpResponse.json({ error_code: 'otp_expired', msg: 'Token has expired or is invalid' }, { status: 403 })
    })

  it.each([
    ['/login', 'Email me a sign-in link', 'otp', 'magiclink'],
    ['/forgot-password', 'Send the link', 'recover', 'recovery'],
  ])('%s takes it after "%s", and rejects what is no code without asking', async (path, button, endpoint, type) => {
    const user = userEvent.setup()
    const sent: Record<string, unknown>[] = []
    server.use(
      http.post(`${origin}/auth/v1/${endpoint}`, () => HttpResponse.json({})),
      answerTo(sent),
    )
    renderApp(path)
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'ada@example.org')
    await user.click(screen.getByRole('button', { name: button }))
    const code = await screen.findByRole('textbox', { name: '6-digit code' })
    await waitFor(() => expect(code).toHaveFocus())
    await user.type(code, '12345')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('Enter the 6-digit code from the email')).toBeInTheDocument()
    expect(sent).toEqual([])
    await user.clear(code)
    await user.type(code, '123 456')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText(/That code is wrong or has expired/)).toBeInTheDocument()
    expect(sent).toEqual([expect.objectContaining({ email: 'ada@example.org', token: '123456', type })])
    await user.click(screen.getByRole('button', { name: 'Use a different email' }))
    expect(await screen.findByRole('textbox', { name: 'Email' })).toBeInTheDocument()
  })
})
