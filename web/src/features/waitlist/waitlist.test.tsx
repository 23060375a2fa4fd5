import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/test/render-app'
import { origin, probeHandler, rest, server, withServer } from '@/test/server'
import { type Answers, noAnswers } from './model'

withServer()

const answers: Answers = {
  ...noAnswers,
  firefighterType: 'career',
  rank: 'Engineer',
  years: '6-10',
  platforms: ['reddit'],
  frustrations: 'Noise',
  wishlist: 'Lessons',
  email: 'Dana@Example.org',
}

interface Written {
  surveys: Record<string, unknown>[]
  entries: Record<string, unknown>[]
  lookups: (string | null)[]
  notices: unknown[]
}

let written: Written

beforeEach(() => {
  written = { surveys: [], entries: [], lookups: [], notices: [] }
  server.use(
    probeHandler,
    http.get(rest('posts'), () => HttpResponse.json([])),
    http.get(rest('waitlist'), ({ request }) => {
      written.lookups.push(request.headers.get('x-waitlist-email'))
      return HttpResponse.json([])
    }),
    http.post(rest('quiz_responses'), async ({ request }) => {
      written.surveys.push((await request.json()) as Record<string, unknown>)
      return new HttpResponse(null, { status: 201 })
    }),
    http.post(rest('waitlist'), async ({ request }) => {
      const entry = (await request.json()) as Record<string, unknown>
      written.entries.push(entry)
      return HttpResponse.json([{ id: 'w1', ...entry }], { status: 201 })
    }),
    http.post(`${origin}/functions/v1/send-notification-email`, async ({ request }) => {
      written.notices.push(await request.json())
      return HttpResponse.json({ success: true, error: null })
    }),
  )
})

/** Opens the quiz at its last step, everything answered. */
async function atTheEnd(where: '/' | '/quiz', email = answers.email) {
  sessionStorage.setItem('muster:waitlist-quiz', JSON.stringify({ step: 7, answers: { ...answers, email } }))
  const user = userEvent.setup()
  renderApp(where)
  if (where === '/') {
    const [button] = await screen.findAllByRole('button', { name: 'Join Our Waitlist' })
    await user.click(button as HTMLElement)
  }
  return { user, submit: await screen.findByRole('button', { name: 'Join Waitlist' }) }
}

const existing = (status: string) => http.get(rest('waitlist'), () => HttpResponse.json([{ id: 'w0', status }]))
const refused = (status: number, code: string, message: string) => () =>
  HttpResponse.json({ code, message }, { status })

describe('joining the waitlist', () => {
  it('§7.30-34, §8.40 writes the survey, then the entry, and shows the confirmation of §4.31-36', async () => {
    const { user, submit } = await atTheEnd('/')
    await user.click(submit)
    expect(
      await screen.findByText("You've been added to our waitlist. We'll notify you when you're invited."),
    ).toBeInTheDocument()
    expect(await screen.findByText("You're officially on the waitlist!")).toBeInTheDocument()
    expect(screen.getByText('Thanks for helping shape something better for the fire service.')).toBeInTheDocument()
    expect(screen.getByText("We'll be in touch soon with early access and updates.")).toBeInTheDocument()
    expect(screen.getAllByRole('link', { name: /opens in a new tab/ })).toHaveLength(4) // §4.35
    expect(written.lookups).toEqual(['dana@example.org'])
    expect(written.surveys).toHaveLength(1)
    expect(written.entries).toEqual([
      { email: 'dana@example.org', status: 'waitlist', quiz_response_id: written.surveys[0]?.id }, // §4.27, §5.1
    ])
    await waitFor(() => expect(written.notices).toHaveLength(1)) // §7.45
    expect(written.notices[0]).toMatchObject({
      notification: {
        type: 'admin_waitlist',
        metadata: {
          id: 'w1',
          email: 'dana@example.org',
          first_name: '',
          last_name: '',
          department: 'Engineer',
          status: 'waitlist',
        }, // §3.33, §3.41
      },
    })
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement) // §4.36
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it.each([
    [
      '§8.23',
      '/',
      'invited',
      'Already invited',
      'This email has already been invited to join. Please check your inbox.',
    ],
    [
      '§8.23',
      '/',
      'active',
      'Already invited',
      'This email has already been invited to join. Please check your inbox.',
    ],
    [
      '§8.24',
      '/',
      'waitlist',
      'Already on waitlist',
      "This email is already on our waitlist. We'll notify you when you're invited.",
    ],
    [
      '§8.24',
      '/',
      'pending',
      'Already on waitlist',
      "This email is already on our waitlist. We'll notify you when you're invited.",
    ],
    ['§8.29', '/quiz', 'waitlist', 'Thanks for your interest!', 'We already have your email on our waitlist.'],
  ] as const)('%s at %s with an entry that is %s: %s', async (_s, where, status, title, description) => {
    server.use(existing(status))
    const { user, submit } = await atTheEnd(where)
    await user.click(submit)
    expect(await screen.findByText(title)).toBeInTheDocument()
    expect(screen.getByText(description)).toBeInTheDocument()
    expect(written.entries).toEqual([])
    expect(written.surveys).toEqual([])
  })

  it('§5.1, §5.9 an address without @ is refused inline and as a toast, and nothing is asked', async () => {
    const { user, submit } = await atTheEnd('/quiz', 'dana.example.org')
    await user.click(submit)
    expect(await screen.findByText('Invalid email')).toBeInTheDocument()
    expect(screen.getAllByText('Please enter a valid email address')).toHaveLength(2)
    expect(screen.getByRole('textbox', { name: 'E-mail' })).toHaveFocus()
    expect(written.lookups).toEqual([])
  })

  it('§8.25 joins although the survey could not be saved, and notes it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.post(rest('quiz_responses'), refused(500, 'XX000', 'boom')))
    const { user, submit } = await atTheEnd('/')
    await user.click(submit)
    expect(await screen.findByText('Note')).toBeInTheDocument()
    expect(await screen.findByText("You're officially on the waitlist!")).toBeInTheDocument()
    expect(written.entries).toEqual([{ email: 'dana@example.org', status: 'waitlist', quiz_response_id: null }])
  })

  it('§8.28 on the quiz page a refused survey is a database error, and nobody joins', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.post(rest('quiz_responses'), refused(500, 'XX000', '')))
    const { user, submit } = await atTheEnd('/quiz')
    await user.click(submit)
    expect(await screen.findByText('Database Error')).toBeInTheDocument()
    expect(screen.getByText('Could not save quiz responses')).toBeInTheDocument()
    expect(written.entries).toEqual([])
  })

  it('§8.28 a look-up that fails is a database error', async () => {
    server.use(http.get(rest('waitlist'), refused(500, 'XX000', '')))
    const { user, submit } = await atTheEnd('/')
    await user.click(submit)
    expect(await screen.findByText('Database operation failed')).toBeInTheDocument()
  })

  it('§8.27 a refused entry shows the server’s message', async () => {
    server.use(http.post(rest('waitlist'), refused(400, '23514', 'email is too long')))
    const { user, submit } = await atTheEnd('/')
    await user.click(submit)
    expect(await screen.findByText('Waitlist Error')).toBeInTheDocument()
    expect(screen.getByText('email is too long')).toBeInTheDocument()
  })

  it('a double click writes one entry; §4.31 the button says so meanwhile', async () => {
    server.use(
      http.post(rest('quiz_responses'), async ({ request }) => {
        written.surveys.push((await request.json()) as Record<string, unknown>)
        await delay(60)
        return new HttpResponse(null, { status: 201 })
      }),
    )
    const { user, submit } = await atTheEnd('/')
    await user.dblClick(submit)
    expect(screen.getByRole('button', { name: 'Adding...' })).toHaveAttribute('aria-disabled', 'true')
    expect(await screen.findByText("You're officially on the waitlist!")).toBeInTheDocument()
    expect([written.surveys.length, written.entries.length]).toEqual([1, 1])
  })

  it('§8.26 a lost connection says so; trying again finds the entry that had arrived and counts as joined', async () => {
    server.use(http.post(rest('waitlist'), () => HttpResponse.error(), { once: true }))
    const { user, submit } = await atTheEnd('/')
    await user.click(submit)
    expect(
      await screen.findByText("We couldn't add you to the waitlist. Please try again later.", {}, { timeout: 9000 }),
    ).toBeInTheDocument()
    server.use(existing('waitlist'))
    await user.click(screen.getByRole('button', { name: 'Join Waitlist' }))
    expect(await screen.findByText("You're officially on the waitlist!")).toBeInTheDocument()
    expect(written.surveys).toHaveLength(1)
  })

  it('§7.46 a notice that fails is only logged', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(
      http.post(`${origin}/functions/v1/send-notification-email`, () => HttpResponse.json({}, { status: 500 })),
    )
    const { user, submit } = await atTheEnd('/')
    await user.click(submit)
    expect(await screen.findByText("You're officially on the waitlist!")).toBeInTheDocument()
    await waitFor(() => expect(log).toHaveBeenCalledWith(expect.stringContaining('The notice to admins was not sent')))
  })
})
