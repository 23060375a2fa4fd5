import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { describe, expect, it, vi } from 'vitest'
import { AuthContext, type AuthState } from '@/api/session/auth-context'
import Toaster from '@/components/ui/toaster'
import { makeQueryClient } from '@/lib/supabase/query-client'
import { rest, server, withServer } from '@/test/server'
import { AdminGuard } from './admin-guard'

withServer()

const user = { id: '3e6f2c1a-0000-4000-8000-000000000001' } as AuthState['user']

function enter(status: AuthState['status'], answer: () => HttpResponse<null> | HttpResponse<boolean>, access = 'open') {
  let requests = 0
  server.use(http.post(rest('rpc/admin_access'), () => HttpResponse.json(access)))
  server.use(http.post(rest('rpc/is_admin'), () => ((requests += 1), answer())))
  const auth: AuthState = {
    status,
    session: { access_token: '', user: { ...user, factors: [] } } as unknown as AuthState['session'],
    user: status === 'signed-in' ? user : null,
    recovering: false,
    leaving: false,
    signOut: () => Promise.resolve(),
  }
  const router = createMemoryRouter(
    [
      { path: '/admin', element: <AdminGuard>the panel</AdminGuard> },
      { path: '/login', element: 'the login' },
      { path: '/dashboard', element: 'the dashboard' },
      { path: '/settings/security', element: 'the security settings' },
    ],
    { initialEntries: ['/admin'] },
  )
  const client = makeQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retryDelay: 1 } })
  render(
    <QueryClientProvider client={client}>
      <AuthContext value={auth}>
        <RouterProvider router={router} />
        <Toaster />
      </AuthContext>
    </QueryClientProvider>,
  )
  return { requests: () => requests }
}

describe('access to the admin area', () => {
  it('§2.44 §6.4 an admin is let through, after the loading panel', async () => {
    enter('signed-in', () => HttpResponse.json(true))
    expect(screen.getByText('Loading admin panel...')).toBeInTheDocument()
    expect(await screen.findByText('the panel')).toBeInTheDocument()
  })

  it('§15.3 an admin without a second factor is sent to set one up, where the operator demands one', async () => {
    enter('signed-in', () => HttpResponse.json(true), 'no_factor')
    expect(await screen.findByRole('heading', { name: 'Set up a second factor' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Open security settings' })).toHaveAttribute('href', '/settings/security')
    expect(screen.queryByText('the panel')).not.toBeInTheDocument()
  })

  it('§15.3 an admin is asked for it before the panel, also when nothing is known', async () => {
    enter('signed-in', () => HttpResponse.json(true), 'second_factor')
    expect(await screen.findByRole('heading', { name: 'Confirm it’s you' })).toBeInTheDocument()
    expect(screen.queryByText('the panel')).not.toBeInTheDocument()
  })

  it('§2.45 §6.5 a visitor is redirected without a request', async () => {
    const { requests } = enter('signed-out', () => HttpResponse.json(true))
    expect(await screen.findByText('the login')).toBeInTheDocument()
    expect(requests()).toBe(0)
  })

  it('§2.46 §6.6 §8.21 a member is sent to the dashboard with a toast', async () => {
    enter('signed-in', () => HttpResponse.json(false))
    expect(await screen.findByText('the dashboard')).toBeInTheDocument()
    expect(await screen.findByText('Access Denied')).toBeInTheDocument()
    expect(screen.getByText("You don't have permission to access this area.")).toBeInTheDocument()
  })

  it('§6.5 §8.15 an error is logged, retried once, and means no', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { requests } = enter('signed-in', () => new HttpResponse(null, { status: 500 }))
    expect(await screen.findByText('the dashboard')).toBeInTheDocument()
    await waitFor(() => expect(requests()).toBe(2))
    expect(log).toHaveBeenCalledWith(expect.stringContaining('The admin check failed'))
  })
})
