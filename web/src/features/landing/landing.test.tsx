import { act, render, screen, within } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/test/render-app'
import { origin, probeHandler, rest, server, sessionOf, storeSession, withServer } from '@/test/server'
import { RollCall } from './components/roll-call'
import { RotatingPhrase } from './components/rotating-phrase'

withServer()
beforeEach(() => server.use(probeHandler))

const phrase = () => document.querySelector('[data-slot="rotating-phrase"]')

describe('the rotating phrase', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })
  const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

  it('§9.18 changes every 3000 ms with a fade of 300 ms, in a loop', () => {
    render(<RotatingPhrase phrases={['one', 'two']} paused={false} />)
    wait(2_999)
    expect([phrase()?.textContent, phrase()?.className.includes('opacity-0')]).toEqual(['one', false])
    wait(1)
    expect([phrase()?.textContent, phrase()?.className.includes('opacity-0')]).toEqual(['one', true])
    wait(300)
    expect([phrase()?.textContent, phrase()?.className.includes('opacity-0')]).toEqual(['two', false])
    wait(3_000)
    expect(phrase()).toHaveTextContent('one')
  })

  it('pauses on hover, and with reduced motion', () => {
    const { rerender } = render(<RotatingPhrase phrases={['one', 'two']} paused />)
    wait(10_000)
    expect(phrase()).toHaveTextContent('one')
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) => ({ matches: query.includes('reduce'), addEventListener() {}, removeEventListener() {} }) as never,
    )
    rerender(<RotatingPhrase phrases={['one', 'two']} paused={false} />)
    wait(10_000)
    expect(phrase()).toHaveTextContent('one')
  })
})

describe('the landing page', () => {
  it('§2.10 visitors get the waitlist button and Already a member? Sign In', async () => {
    server.use(http.get(rest('posts'), () => HttpResponse.json([])))
    renderApp('/')
    const block = within(await screen.findByRole('region', { name: 'One tag on this board is yours.' }))
    expect(block.getByRole('button', { name: 'Join Our Waitlist' })).toBeInTheDocument()
    expect(block.getByText('Already a member?')).toBeInTheDocument()
    expect(block.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
    expect(block.queryByRole('link', { name: 'Go to Dashboard' })).not.toBeInTheDocument()
  })

  it('§2.12, §2.13 the header shows the logo, and a placeholder until the session is known', async () => {
    storeSession('Dana Whitcomb', -60)
    let answer = () => {}
    const asked = new Promise<void>((resolve) => (answer = resolve))
    server.use(
      http.get(rest('posts'), () => HttpResponse.json([])),
      http.post(`${origin}/auth/v1/token`, async () => {
        await asked
        return HttpResponse.json(sessionOf('Dana Whitcomb'))
      }),
    )
    renderApp('/')
    const header = within(await screen.findByRole('banner'))
    expect(header.getByRole('link', { name: 'Muster, home' })).toHaveAttribute('href', '/')
    expect(header.getByRole('status')).toHaveTextContent('Loading…')
    expect(header.queryByRole('link', { name: 'Sign In' })).not.toBeInTheDocument()
    answer()
    expect(await header.findByRole('link', { name: 'Your dashboard' })).toBeInTheDocument()
    expect(header.queryByRole('status')).not.toBeInTheDocument()
  })

  it.each([
    [false, 3],
    [true, 2],
  ])('§7.37, §9.22 asks for 3 articles; mobile %s: %i skeletons meanwhile', async (mobile, skeletons) => {
    let limit: string | null = null
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({ matches: mobile && query.includes('767'), addEventListener() {}, removeEventListener() {} }) as never,
    )
    server.use(
      http.get(rest('posts'), async ({ request }) => {
        limit = new URL(request.url).searchParams.get('limit')
        await delay('infinite')
      }),
    )
    renderApp('/')
    expect(await screen.findByText('Loading articles…', {}, { timeout: 9_000 })).toBeInTheDocument()
    await vi.waitFor(() => expect(limit).toBe('3'))
    expect(document.querySelectorAll('[data-slot="article-skeleton"]')).toHaveLength(skeletons)
  })
})

it('the board has an open seat for a visitor, and a member’s own tag in its place', () => {
  const { rerender } = render(<RollCall />)
  expect(screen.getByText('11 of 12')).toBeInTheDocument()
  rerender(<RollCall member="Petrosyan" />)
  expect(screen.getByText('12 of 12')).toBeInTheDocument()
  expect(screen.getByText('Petrosyan')).toBeInTheDocument()
  expect(screen.queryByText('You')).not.toBeInTheDocument()
})
