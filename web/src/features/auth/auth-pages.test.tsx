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
    const email = screen.getByRole('textbox', { name: 'E-mail' })
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
    await user.type(await screen.findByRole('textbox', { name: 'E-mail' }), 'dana@example.org')
    await user.type(screen.getByLabelText('Password'), 'wrong')
    await user.click(main().getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('That e-mail and password do not match.')
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
    await user.type(screen.getByRole('textbox', { name: 'E-mail' }), 'ada@example.org')
    await user.type(screen.getByLabelText('Password'), 'short')
    await user.click(screen.getByRole('button', { name: 'Create account' }))
    expect(await screen.findByText('Use at least 8 characters, and make it harder to guess')).toBeInTheDocument()
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
    ['used', 'This invitation was used'],
    ['waiting', 'You are on the waitlist'],
    [null, 'No invitation for this address'],
  ])('an address that is %s gets: %s', async (status, title) => {
    server.use(invitationStatus(status))
    renderApp('/invitation')
    // The page reads window.location, which a memory router does not set: the address is typed.
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: 'E-mail' }), 'Ada@Example.org')
    await user.click(screen.getByRole('button', { name: 'Check my invitation' }))
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument()
    if (status === 'invited') {
      expect(await screen.findByRole('button', { name: 'Create account' })).toBeInTheDocument()
      expect(screen.getByRole('textbox', { name: 'E-mail' })).toHaveAttribute('readonly')
      expect(screen.getByRole('textbox', { name: 'E-mail' })).toHaveValue('ada@example.org')
    } else {
      await user.click(await screen.findByRole('button', { name: 'Use another address' }))
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
    await user.type(await screen.findByRole('textbox', { name: 'E-mail' }), 'ada@example.org')
    await user.click(screen.getByRole('button', { name: 'Check my invitation' }))
    const ask = await screen.findByRole('button', { name: 'Ask for a new invitation' })
    await user.click(ask)
    expect(await screen.findByRole('alert')).toHaveTextContent('That could not be sent. Please try again.')
    server.use(http.post(rest('rpc/request_invitation'), () => HttpResponse.json(true)))
    await user.click(ask)
    expect(await screen.findByRole('status')).toHaveTextContent('Asked. We write to you')
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
    expect(await screen.findByRole('heading', { name: 'Sign in as somebody else?' })).toBeInTheDocument()
    expect(screen.getByText(/You are signed in as dana@example.org/)).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Stay signed in' })).toHaveAttribute('href', '/feed')
    expect(verified).toBe(0)
    await user.click(screen.getByRole('button', { name: 'Go on with the link' }))
    expect(await screen.findByRole('heading', { name: 'That link did not work' })).toBeInTheDocument()
    expect(verified).toBe(1)
  })
})
