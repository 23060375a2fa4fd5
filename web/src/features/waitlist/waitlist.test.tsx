import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { sharedKeys } from '@/api/keys'
import { sharedQueryClient } from '@/lib/supabase/query-client'
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

/** Opens the quiz at its last step, with everything answered. */
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
  it('§7.29, §7.30, §7.32, §7.34, §8.40 writes the survey, then the entry; §4.30, §4.31, §4.32, §4.33, §4.34 confirms', async () => {
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

  it('§4.32 on the quiz page offers two articles to read', async () => {
    const article = (id: string, title: string) => ({
      id,
      title,
      slug: id,
      content: 'word '.repeat(210),
      tags: [],
      created_at: '2026-05-01T00:00:00Z',
    })
    server.use(
      http.get(rest('posts'), ({ request }) =>
        HttpResponse.json(
          [article('roof', 'The roof told us twice'), article('pump', 'Winter pump operations')].slice(
            0,
            Number(new URL(request.url).searchParams.get('limit')),
          ),
        ),
      ),
    )
    const { user, submit } = await atTheEnd('/quiz')
    await user.click(submit)
    const reading = await screen.findByRole('region', { name: 'Read while you wait' })
    expect(
      within(reading)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(['/blog/roof', '/blog/pump'])
    expect(within(reading).getAllByText('2 min read')).toHaveLength(2)
  })

  it('§5.1, §5.9 an address without @ is rejected inline and with a toast, and nothing is requested', async () => {
    const { user, submit } = await atTheEnd('/quiz', 'dana.example.org')
    await user.click(submit)
    expect(await screen.findByText('Invalid email')).toBeInTheDocument()
    expect(screen.getAllByText('Please enter a valid email address')).toHaveLength(2)
    expect(screen.getByRole('textbox', { name: 'Email' })).toHaveFocus()
    expect(written.lookups).toEqual([])
  })

  it('§8.25 joins although the survey could not be saved, and shows a toast', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.post(rest('quiz_responses'), refused(500, 'XX000', 'boom')))
    const { user, submit } = await atTheEnd('/')
    await user.click(submit)
    expect(await screen.findByText('Note')).toBeInTheDocument()
    expect(await screen.findByText("You're officially on the waitlist!")).toBeInTheDocument()
    expect(written.entries).toEqual([{ email: 'dana@example.org', status: 'waitlist', quiz_response_id: null }])
  })

  it('§8.28 on the quiz page a rejected survey is a database error, and nobody joins', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.post(rest('quiz_responses'), refused(500, 'XX000', '')))
    const { user, submit } = await atTheEnd('/quiz')
    await user.click(submit)
    expect(await screen.findByText('Database Error')).toBeInTheDocument()
    expect(screen.getByText('Could not save quiz responses')).toBeInTheDocument()
    expect(written.entries).toEqual([])
  })

  it('§8.28 a lookup that fails is a database error', async () => {
    server.use(http.get(rest('waitlist'), refused(500, 'XX000', '')))
    const { user, submit } = await atTheEnd('/')
    await user.click(submit)
    expect(await screen.findByText('Database operation failed')).toBeInTheDocument()
  })

  it('§8.27 a constraint that rejects the entry is not named to a visitor, only logged', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.post(rest('waitlist'), refused(400, '23514', 'violates check constraint "an_address"')))
    const { user, submit } = await atTheEnd('/')
    await user.click(submit)
    expect(await screen.findByText('Could not add to waitlist')).toBeInTheDocument()
    expect(log).toHaveBeenCalledWith(expect.stringContaining('an_address'))
  })

  it('§8.27 a rejected entry shows the server’s message', async () => {
    server.use(http.post(rest('waitlist'), refused(429, 'PT429', 'email is too long')))
    const { user, submit } = await atTheEnd('/')
    await user.click(submit)
    expect(await screen.findByText('Waitlist Error')).toBeInTheDocument()
    expect(screen.getByText('email is too long')).toBeInTheDocument()
  })

  it('a double click saves one entry; §4.31 the button shows the pending state', async () => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    server.use(
      http.post(rest('quiz_responses'), async ({ request }) => {
        written.surveys.push((await request.json()) as Record<string, unknown>)
        await answered
        return new HttpResponse(null, { status: 201 })
      }),
    )
    const { user, submit } = await atTheEnd('/')
    await user.dblClick(submit)
    expect(await screen.findByRole('button', { name: 'Adding...' })).toHaveAttribute('aria-disabled', 'true')
    answer()
    expect(await screen.findByText("You're officially on the waitlist!")).toBeInTheDocument()
    expect([written.surveys.length, written.entries.length]).toEqual([1, 1])
  })

  it('§8.26 a lost connection shows an error; a retry finds the saved entry and counts as joined', async () => {
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

  it('§7.31 the quiz page selects only the id, one row; §7.33 the admin list is refetched after a join', async () => {
    let query = new URLSearchParams()
    server.use(
      http.get(rest('waitlist'), ({ request }) => {
        query = new URL(request.url).searchParams
        return HttpResponse.json([])
      }),
    )
    const client = sharedQueryClient()
    client.setQueryData(sharedKeys.adminWaitlist, [])
    const { user, submit } = await atTheEnd('/quiz')
    await user.click(submit)
    expect(await screen.findByText("You're officially on the waitlist!")).toBeInTheDocument()
    expect(Object.fromEntries(query)).toEqual({ select: 'id', email: 'eq.dana@example.org', limit: '1' })
    expect(client.getQueryState(sharedKeys.adminWaitlist)?.isInvalidated).toBe(true)
  })

  it('§8.30 an unexpected error is shown inline and as a toast, and can be retried', async () => {
    const { user, submit } = await atTheEnd('/')
    const random = vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
      throw new Error('no randomness left')
    })
    await user.click(submit)
    expect(await screen.findByText('An unexpected error occurred. Please try again.')).toBeInTheDocument()
    expect(await screen.findByText('Submission error')).toBeInTheDocument()
    expect(screen.getByText('no randomness left')).toBeInTheDocument()
    random.mockRestore()
    await user.click(screen.getByRole('button', { name: 'Join Waitlist' }))
    expect(await screen.findByText("You're officially on the waitlist!")).toBeInTheDocument()
  })

  it('§7.46, §8.7 a notification that cannot be sent is only logged, with the client’s message', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.post(`${origin}/functions/v1/send-notification-email`, () => HttpResponse.error()))
    const { user, submit } = await atTheEnd('/')
    await user.click(submit)
    expect(await screen.findByText("You're officially on the waitlist!")).toBeInTheDocument()
    const message = 'Failed to send a request to the Edge Function'
    await waitFor(() => expect(log).toHaveBeenCalledWith(expect.stringContaining(message)))
  })

  it('§7.46 a notification that fails is only logged', async () => {
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

/** The step is drawn at once; its entry is in the history a moment later, and only then can Back leave it. */
const atStep = async (router: ReturnType<typeof renderApp>, step: number) => {
  expect(await screen.findByText(`Step ${step} of 7`)).toBeInTheDocument()
  await waitFor(() => expect(router.state.location.state).toMatchObject({ quiz: { step } }))
}

describe('the questions', () => {
  const choices = (role: 'radio' | 'checkbox') =>
    screen.getAllByRole<HTMLInputElement>(role).map((one) => [one.value, one.checked])
  const unchosen = (...values: string[]) => values.map((value) => [value, false])

  it('§2.5, §2.59 show one by one with a bar of 7 segments, each with its error; Back keeps the answers', async () => {
    const user = userEvent.setup()
    const router = renderApp('/quiz')
    const press = () => user.click(screen.getByRole('button', { name: 'Next' }))
    const refused = async (message: string) => {
      await press()
      await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(message))
    }
    const next = async (step: number) => {
      await press()
      await atStep(router, step)
    }
    const bar = () => screen.getByRole('progressbar')

    expect(await screen.findByRole('heading', { level: 1, name: 'What kind of firefighter are you?' })).toBeVisible()
    expect(bar().children).toHaveLength(7)
    const types = ['career', 'volunteer', 'wildland', 'industrial', 'military', 'retired', 'other']
    expect(choices('radio')).toEqual(unchosen(...types)) // §3.26, §3.35
    await refused('Please select your firefighter type')
    await user.click(screen.getByRole('radio', { name: 'Other' }))
    await refused('Please specify your firefighter type')
    await user.type(screen.getByRole('textbox', { name: 'Which type?' }), 'Airport')
    await next(2)

    await refused('Please enter your current rank or role') // §3.27, §5.4
    await user.type(screen.getByRole('textbox', { name: 'Current rank or role' }), 'Engineer')
    await next(3)

    expect(choices('radio')).toEqual(unchosen('less-than-1', '1-5', '6-10', '11-20', 'more-than-20')) // §3.28, §3.36
    await refused('Please select your years of service')
    await user.click(screen.getByRole('radio', { name: '6 to 10 years' }))
    await next(4)

    const platforms = ['facebook', 'reddit', 'instagram_tiktok', 'linkedin', 'messaging', 'department', 'nowhere']
    expect(choices('checkbox')).toEqual(unchosen(...platforms, 'other')) // §3.29, §3.37
    await refused('Please select at least one option')
    await user.click(screen.getByRole('checkbox', { name: 'Reddit' }))
    await user.click(screen.getByRole('checkbox', { name: 'Other' }))
    await refused('Please specify the other platform')
    await user.type(screen.getByRole('textbox', { name: 'Which other platform?' }), 'A union forum')
    await next(5)

    await refused('Please share your frustrations with these platforms') // §3.30, §5.7
    const long = screen.getByRole('textbox', { name: 'Your frustrations' })
    expect(long.tagName).toBe('TEXTAREA')
    await user.type(long, 'Too loud')
    await next(6)

    await refused('Please tell us what would make a new platform worth your time') // §3.31, §5.8
    await user.type(screen.getByRole('textbox', { name: 'What would make it worth your time' }), 'Lessons')
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await atStep(router, 5)
    expect(screen.getByRole('textbox', { name: 'Your frustrations' })).toHaveValue('Too loud')
    await next(6)
    await next(7)

    expect(screen.getByRole('progressbar', { name: 'Step 7 of 7' })).toBeInTheDocument()
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'Dana@Example.org') // §3.32
    await user.click(screen.getByRole('button', { name: 'Join Waitlist' }))
    expect(await screen.findByText("You're officially on the waitlist!")).toBeInTheDocument()
    expect(written.surveys[0]).toMatchObject({
      firefighter_type: 'other',
      firefighter_type_other: 'Airport',
      current_rank: 'Engineer',
      years_of_service: '6-10',
    })
  })
})

describe('the browser’s history', () => {
  it('on the page, Back returns to the question before, with its answer', async () => {
    sessionStorage.setItem('muster:waitlist-quiz', JSON.stringify({ step: 2, answers: { ...answers, email: '' } }))
    const user = userEvent.setup()
    const router = renderApp('/quiz')
    await atStep(router, 2)
    await user.click(await screen.findByRole('button', { name: 'Next' }))
    await atStep(router, 3)
    await act(() => router.navigate(-1))
    await atStep(router, 2)
    expect(screen.getByRole('textbox', { name: 'Current rank or role' })).toHaveValue('Engineer')
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await atStep(router, 1)
    expect(router.state.location.pathname).toBe('/quiz')
  })

  it('in the dialog, Back goes through the steps, then closes it; its Close takes all of them back', async () => {
    const user = userEvent.setup()
    const router = renderApp('/')
    const open = async () => {
      const [button] = await screen.findAllByRole('button', { name: 'Join Our Waitlist' })
      await user.click(button as HTMLElement)
    }
    sessionStorage.setItem('muster:waitlist-quiz', JSON.stringify({ step: 2, answers: { ...answers, email: '' } }))
    await open()
    await atStep(router, 2)
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await atStep(router, 3)
    await act(() => router.navigate(-1))
    await atStep(router, 2)
    await act(() => router.navigate(-1))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())

    await open()
    await atStep(router, 2)
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await atStep(router, 3)
    await user.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(router.state.location.state).toBeNull()
  })
})
