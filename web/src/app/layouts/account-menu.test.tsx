import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { MemoryRouter } from 'react-router-dom'
import { describe, expect, it, vi } from 'vitest'
import { isAdminQuery } from '@/api/profiles/queries'
import { AuthContext, type AuthState } from '@/api/session/auth-context'
import { makeQueryClient } from '@/lib/supabase/query-client'
import { rest, server, withServer } from '@/test/server'
import { AccountMenu } from './account-menu'

withServer()

const memberId = '3e6f2c1a-0000-4000-8000-000000000001'
const auth: AuthState = {
  status: 'signed-in',
  session: null,
  user: { id: memberId } as AuthState['user'],
  recovering: false,
  leaving: false,
  signOut: () => Promise.resolve(),
}

/** Returns the answers in turn and repeats the last one; null is a server error. */
function open(answers: (boolean | null)[]) {
  let requests = 0
  server.use(
    http.post(rest('rpc/is_admin'), () => {
      const answer = answers[Math.min(requests, answers.length - 1)]
      requests += 1
      return answer === null ? new HttpResponse(null, { status: 500 }) : HttpResponse.json(answer)
    }),
  )
  const client = makeQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retryDelay: 1 } })
  render(
    <QueryClientProvider client={client}>
      <AuthContext value={auth}>
        <MemoryRouter>
          <AccountMenu memberId={memberId} name="Dana Whitcomb" email="dana@example.org" avatarUrl={null} />
        </MemoryRouter>
      </AuthContext>
    </QueryClientProvider>,
  )
  const state = () => client.getQueryState(isAdminQuery(memberId).queryKey)
  return { client, state, requests: () => requests }
}

const unfold = () => userEvent.click(screen.getByRole('button', { name: /account menu/ }))

describe('Admin Dashboard in the avatar menu', () => {
  it('§6.3 is shown to an admin', async () => {
    open([true])
    await unfold()
    expect(await screen.findByRole('menuitem', { name: 'Admin Dashboard' })).toBeInTheDocument()
  })

  it('§6.4 is not shown to anybody else', async () => {
    const { state } = open([false])
    await waitFor(() => expect(state()?.status).toBe('success'))
    await unfold()
    expect(screen.getByRole('menuitem', { name: 'Sign Out' })).toBeInTheDocument()
    expect(screen.queryByRole('menuitem', { name: 'Admin Dashboard' })).toBeNull()
  })

  it('§6.5 an error is retried once, and the second answer counts', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { requests } = open([null, true])
    await unfold()
    expect(await screen.findByRole('menuitem', { name: 'Admin Dashboard' })).toBeInTheDocument()
    expect(requests()).toBe(2)
  })

  it('§6.4 §8.15 two errors are logged and mean no, also after a yes', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { client, state, requests } = open([true, null])
    await waitFor(() => expect(state()?.status).toBe('success'))
    await client.refetchQueries({ queryKey: isAdminQuery(memberId).queryKey })
    expect(state()?.status).toBe('error')
    expect(requests()).toBe(3)
    expect(log).toHaveBeenCalledWith(expect.stringContaining('The admin check failed'))
    await unfold()
    expect(screen.queryByRole('menuitem', { name: 'Admin Dashboard' })).toBeNull()
  })
})
