import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, Link, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Button } from './button'
import { Folded } from './folded'
import { GuardedDialog } from './guarded-dialog'

describe('a form in a dialog', () => {
  const open = async () => {
    const user = userEvent.setup()
    const page = (
      <>
        <Link to="/away">Away</Link>
        <GuardedDialog title="Edit it" trigger={<Button>Edit</Button>}>
          {({ onDirty, onDone }) => (
            <>
              <input aria-label="Text" onChange={onDirty} />
              <button onClick={onDone}>Save</button>
            </>
          )}
        </GuardedDialog>
        {/* A later one, closed: it must not take the question from the open one. */}
        <GuardedDialog title="Another" trigger={<Button>Other</Button>}>
          {() => null}
        </GuardedDialog>
      </>
    )
    const router = createMemoryRouter([
      { path: '/', element: page },
      { path: '/away', element: <h1>Away</h1> },
    ])
    render(<RouterProvider router={router} />)
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    return { user, router }
  }
  const question = { name: 'Discard changes?' }
  const findConfirmation = () => screen.findByRole('dialog', question)
  const answered = () => waitFor(() => expect(screen.queryByRole('dialog', question)).not.toBeInTheDocument())

  it('closes without confirmation when nothing was changed', async () => {
    const { user } = await open()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('asks before changes are lost, and stays on the page', async () => {
    const { user } = await open()
    await user.type(screen.getByLabelText('Text'), 'x')
    await user.keyboard('{Escape}')
    await findConfirmation()
    await user.click(screen.getByRole('button', { name: 'Keep editing' }))
    await answered()
    expect(screen.getByLabelText('Text')).toHaveValue('x')
    await user.keyboard('{Escape}')
    await findConfirmation()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('asks before Back, too: stays, then leaves', async () => {
    const { user, router } = await open()
    await user.type(screen.getByLabelText('Text'), 'x')
    void router.navigate('/away')
    await findConfirmation()
    await user.click(screen.getByRole('button', { name: 'Keep editing' }))
    await answered()
    expect(router.state.location.pathname).toBe('/')
    expect(screen.getByLabelText('Text')).toHaveValue('x')
    void router.navigate('/away')
    await findConfirmation()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(await screen.findByRole('heading', { name: 'Away' })).toBeInTheDocument()
  })

  it('leaves without confirmation once it is saved', async () => {
    const { user, router } = await open()
    await user.type(screen.getByLabelText('Text'), 'x')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    void router.navigate('/away')
    expect(await screen.findByRole('heading', { name: 'Away' })).toBeInTheDocument()
  })
})

describe('a long text', () => {
  afterEach(() => void vi.restoreAllMocks())
  const ofHeight = (px: number) => vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(px)

  it('starts collapsed, and expands on request', async () => {
    ofHeight(2_000)
    render(<Folded lines={4}>A long story</Folded>)
    const more = screen.getByRole('button', { name: 'Show more' })
    expect(more).toHaveAttribute('aria-expanded', 'false')
    expect(screen.getByText('A long story')).toHaveStyle({ maxHeight: '4lh' })
    await userEvent.setup().click(more)
    expect(screen.getByRole('button', { name: 'Show less' })).toHaveAttribute('aria-expanded', 'true')
    expect(screen.getByText('A long story').style.maxHeight).toBe('')
  })

  it('expands when keyboard focus reaches the hidden part', () => {
    ofHeight(2_000)
    render(<Folded lines={4}>A long story</Folded>)
    fireEvent.scroll(screen.getByText('A long story'))
    expect(screen.getByRole('button', { name: 'Show less' })).toBeInTheDocument()
  })

  it('a slightly longer text is not collapsed', () => {
    ofHeight(150)
    render(<Folded lines={4}>A story</Folded>)
    expect(screen.queryByRole('button')).not.toBeInTheDocument()
  })
})
