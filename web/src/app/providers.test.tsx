import { act, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { http, HttpResponse } from 'msw'
import { toast } from 'sonner'
import { describe, expect, it, vi } from 'vitest'
import { useAuth } from '@/api/session/auth-context'
import { AuthErrorScreen } from '@/components/auth-error-screen'
import Toaster from '@/components/ui/toaster'
import { useNetworkStatus } from '@/lib/browser/connectivity/network-status'
import { NetworkStatusProvider } from '@/lib/browser/connectivity/network-status-provider'
import { showToast } from '@/lib/toasts/toast'
import { origin, server, withServer } from '@/test/server'
import { AppBoundary } from './recovery/app-boundary'
import { DocumentError, MemberLayoutError, PageError, RouterError } from './recovery/route-errors'

withServer()

function Broken(): never {
  throw new Error('a wheel came off')
}

const quiet = () => vi.spyOn(console, 'error').mockImplementation(() => {})

describe('hooks outside their providers (§8.5)', () => {
  it.each([
    [useAuth, 'useAuth must be used within an AuthProvider'],
    [useNetworkStatus, 'useNetworkStatus must be used within a NetworkStatusProvider'],
  ])('%s', (useIt, message) => {
    quiet()
    function Lost() {
      useIt()
      return null
    }
    expect(() => render(<Lost />)).toThrow(message)
  })
})

describe('error screens', () => {
  it('§8.3 the whole application: Refresh Page or Go to Home', () => {
    quiet()
    render(
      <AppBoundary>
        <Broken />
      </AppBoundary>,
    )
    expect(screen.getByRole('heading', { name: 'Application Error' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Refresh Page' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Go to Home' })).toBeInTheDocument()
  })

  it.each([
    ['§8.3', PageError, 'Something went wrong', 'Reload'],
    ['§8.3', DocumentError, 'Something went wrong', 'Reload'],
    ['§2.27', MemberLayoutError, 'Dashboard Layout Error', 'Return to Login'],
    ['§8.4', RouterError, 'Unexpected Application Error!', 'Reload'],
  ])('%s %s', async (_s, ErrorBoundary, title, button) => {
    quiet()
    render(<RouterProvider router={createMemoryRouter([{ path: '/', Component: Broken, ErrorBoundary }])} />)
    expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument()
    expect(screen.queryByText('a wheel came off')).not.toBeInTheDocument() // for the console
    expect(screen.queryAllByRole('main')).toHaveLength(ErrorBoundary === PageError ? 0 : 1) // its layout has one
    expect(screen.getByRole('button', { name: button })).toBeInTheDocument()
  })

  it('§8.2 the sign-in service: its message and Reload', () => {
    render(<AuthErrorScreen message="no client" />)
    expect(screen.getByRole('heading', { name: 'Authentication Error' })).toBeInTheDocument()
    expect(screen.getByText('no client')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Reload' })).toBeInTheDocument()
  })
})

describe('the network status', () => {
  function Shown() {
    const { combined, quality, check } = useNetworkStatus()
    return (
      <button type="button" onClick={check}>
        {combined}/{quality}
      </button>
    )
  }

  const show = () =>
    render(
      <NetworkStatusProvider>
        <Shown />
        <Toaster />
      </NetworkStatusProvider>,
    )

  it('§7.48 probes the backend’s root with the API key, uncached; §4.3-4 rates the response', async () => {
    let probe: Request | undefined
    server.use(
      http.get(`${origin}/`, ({ request }) => {
        probe = request
        return new HttpResponse(null)
      }),
    )
    show()
    expect(await screen.findByText('online/good')).toBeInTheDocument()
    expect([probe?.headers.has('apikey'), probe?.cache]).toEqual([true, 'no-store'])
    server.use(http.get(`${origin}/`, () => new HttpResponse(null, { status: 503 })))
    act(() => screen.getByRole('button').click())
    expect(await screen.findByText('poor/poor')).toBeInTheDocument()
  })

  it('§4.5, §4.7-8 offline and online events raise toasts, and the connection is probed again', async () => {
    let probes = 0
    server.use(http.get(`${origin}/`, () => ((probes += 1), new HttpResponse(null))))
    show()
    await screen.findByText('online/good')
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    act(() => void window.dispatchEvent(new Event('offline')))
    expect(screen.getByText('offline/unknown')).toBeInTheDocument()
    expect(await screen.findByText("You're offline")).toBeInTheDocument()
    expect(screen.getByText('Please check your connection. Some features may not work.')).toBeInTheDocument()
    onLine.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    expect(await screen.findByText("You're back online")).toBeInTheDocument()
    await waitFor(() => expect(probes).toBe(2))
  })
})

describe('toasts', () => {
  it('§9.27 stay for 5000 ms by default', async () => {
    const drawn = vi.spyOn(toast, 'custom')
    render(<Toaster />)
    act(() => {
      showToast({ title: 'one' })
      showToast({ title: 'two', durationMs: 60_000 })
    })
    await screen.findByText('two')
    expect(drawn.mock.calls.map(([, options]) => options?.duration)).toEqual([5_000, 60_000])
  })

  it('§9.28 come in three variants; §9.30 at most 3 are visible', async () => {
    render(<Toaster />)
    act(() => {
      showToast({ title: 'one' })
      showToast({ title: 'two', variant: 'destructive' })
      showToast({ title: 'three', variant: 'mention' })
      showToast({ title: 'four' })
    })
    await screen.findByText('four')
    const variants = [...document.querySelectorAll<HTMLElement>('[data-slot="toast"]')].map(
      (toast) => toast.dataset.variant,
    )
    expect(new Set(variants)).toEqual(new Set(['default', 'destructive', 'mention']))
    expect(document.querySelectorAll('[data-sonner-toast][data-visible="true"]')).toHaveLength(3)
  })
})
