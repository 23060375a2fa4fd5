import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { AuthContext, type AuthState } from '@/api/session/auth-context'

const showToast = vi.hoisted(() => vi.fn())
vi.mock('@/lib/toasts/toast', () => ({ showToast }))
const { SearchBox } = await import('./search-box')

const Where = () => <output>{useLocation().search}</output>

async function search(term: string, user: AuthState['user'] = { id: 'me' } as AuthState['user']) {
  const auth = { status: 'signed-in', user, session: null, recovering: false, leaving: false } as unknown as AuthState
  render(
    <MemoryRouter>
      <AuthContext value={auth}>
        <SearchBox />
        <Where />
      </AuthContext>
    </MemoryRouter>,
  )
  const actor = userEvent.setup()
  if (term) await actor.type(screen.getByRole('searchbox', { name: 'Search people' }), term)
  await actor.click(screen.getByRole('button', { name: 'Search' }))
  return screen.getByRole('status').textContent
}

beforeEach(() => showToast.mockReset())

describe('validation of the search term', () => {
  it.each(['', 'm', '  m  ', '\u{1F692}'])('§5.14 §9.4 %j is too short', async (term) => {
    expect(await search(term)).toBe('')
    expect(showToast).toHaveBeenCalledWith(
      expect.objectContaining({
        title: 'Search term too short',
        description: 'Please enter at least 2 characters to search.',
      }),
    )
  })

  it('§5.14 two characters are enough', async () => {
    expect(await search(' ma ')).toBe('?q=ma')
    expect(showToast).not.toHaveBeenCalled()
  })

  it('§5.15 not available to visitors', async () => {
    expect(await search('mason', null)).toBe('')
    expect(showToast).toHaveBeenCalledWith(
      expect.objectContaining({
        title: 'Authentication required',
        description: 'You must be logged in to search for connections.',
      }),
    )
  })
})
