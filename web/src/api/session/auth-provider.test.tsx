import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { storeSession } from '@/test/server'
import { AuthProvider } from './auth-provider'

vi.mock('@/lib/supabase/load-client', () => ({
  loadSupabase: () => Promise.reject(new Error('the client is gone')),
  whenSupabaseLoads: () => () => {},
}))

afterEach(() => localStorage.clear())

it('§8.16 a session that cannot be fetched is stored as the failure and logged', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  storeSession()
  render(<AuthProvider goToLogin={() => {}}>the page</AuthProvider>)
  expect(await screen.findByText('the client is gone')).toBeInTheDocument()
  expect(screen.queryByText('the page')).not.toBeInTheDocument()
  expect(logged).toHaveBeenCalledWith('The sign-in service could not start: the client is gone')
})

it('a visitor without a stored session does not load the client', () => {
  render(<AuthProvider goToLogin={() => {}}>the page</AuthProvider>)
  expect(screen.getByText('the page')).toBeInTheDocument()
})
