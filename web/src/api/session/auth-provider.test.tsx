import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storeSession } from '@/test/server'
import { storedSession } from '@/lib/supabase/session-storage'
import { useAuth } from './auth-context'
import { AuthProvider } from './auth-provider'

const load = vi.hoisted(() => vi.fn<() => Promise<unknown>>())

vi.mock('@/lib/supabase/load-client', () => ({
  loadSupabase: load,
  whenSupabaseLoads: () => () => {},
}))

beforeEach(() => {
  load.mockRejectedValue(new Error('the client is gone'))
})
afterEach(() => localStorage.clear())

it('§8.16 a session that cannot be fetched is stored as the failure and logged', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  storeSession()
  render(<AuthProvider goToLogin={() => {}}>the page</AuthProvider>)
  expect(await screen.findByText('the client is gone')).toBeInTheDocument()
  expect(screen.queryByText('the page')).not.toBeInTheDocument()
  expect(logged).toHaveBeenCalledWith('The sign-in service could not start: the client is gone')
})

it('§8.2 says after 10 s that a session is not renewed, with Reload', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  load.mockImplementation(() => new Promise(() => {}))
  storeSession()
  render(<AuthProvider goToLogin={() => {}}>the page</AuthProvider>)
  expect(screen.getByText('the page')).toBeInTheDocument()
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(screen.getByText('Sign-in isn’t answering. Check your connection.')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeInTheDocument()
  vi.useRealTimers()
})

it('§17.1 without network the stored session is taken at once, also one whose token ran out', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  load.mockImplementation(() => new Promise(() => {}))
  storeSession()
  const Who = () => useAuth().user?.id ?? 'nobody'
  render(
    <AuthProvider goToLogin={() => {}}>
      <Who />
    </AuthProvider>,
  )
  expect(screen.getByText(storedSession()?.user.id ?? 'none')).toBeInTheDocument()
})

it('a visitor without a stored session does not load the client', () => {
  render(<AuthProvider goToLogin={() => {}}>the page</AuthProvider>)
  expect(screen.getByText('the page')).toBeInTheDocument()
})
