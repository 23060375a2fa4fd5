import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef, useState } from 'react'
import { expect, test } from 'vitest'
import { useFocusKept } from './use-focus-kept'

function Names({ names, onGone }: { names: string[]; onGone: (name: string) => void }) {
  const list = useRef<HTMLUListElement>(null)
  useFocusKept(list)
  const [requested, setRequested] = useState<string[]>([])
  return (
    <ul ref={list}>
      {names.map((name) => (
        <li key={name}>
          <a href={`#${name}`}>{name}</a>
          {requested.includes(name) ? (
            <button key="withdraw">Withdraw {name}</button>
          ) : (
            <button key="connect" onClick={() => setRequested([...requested, name])}>
              Connect {name}
            </button>
          )}
          <button onClick={() => onGone(name)}>Remove {name}</button>
        </li>
      ))}
    </ul>
  )
}

function Page() {
  const [names, setNames] = useState(['ada', 'ben', 'cleo'])
  return (
    <main id="main" tabIndex={-1}>
      <button>elsewhere</button>
      {names.length > 0 && <Names names={names} onGone={(gone) => setNames(names.filter((name) => name !== gone))} />}
    </main>
  )
}

const press = async (name: string) => {
  const user = userEvent.setup()
  screen.getByRole('button', { name }).focus()
  await user.keyboard('{Enter}')
}

test('a removed button moves the focus to the start of its row', async () => {
  render(<Page />)
  await press('Connect ben')
  await waitFor(() => expect(screen.getByRole('link', { name: 'ben' })).toHaveFocus())
})

test('a removed row moves it to the next row, the last one to the previous row, an emptied list to the page', async () => {
  render(<Page />)
  await press('Remove ben')
  await waitFor(() => expect(screen.getByRole('link', { name: 'cleo' })).toHaveFocus())
  await press('Remove cleo')
  await waitFor(() => expect(screen.getByRole('link', { name: 'ada' })).toHaveFocus())
  await press('Remove ada')
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
})

test('focus that moved elsewhere is left alone', async () => {
  render(<Page />)
  screen.getByRole('button', { name: 'Remove ben' }).focus()
  const elsewhere = screen.getByRole('button', { name: 'elsewhere' })
  elsewhere.focus()
  screen.getByRole('button', { name: 'Remove ben' }).click()
  await waitFor(() => expect(screen.queryByText('ben')).not.toBeInTheDocument())
  expect(elsewhere).toHaveFocus()
})

test('on a page, what had the focus outside of rows leaves it to the content, after a dialog has closed', async () => {
  function Bulk() {
    const main = useRef<HTMLElement>(null)
    useFocusKept(main)
    const [step, setStep] = useState(0)
    return (
      <>
        <main id="main" tabIndex={-1} ref={main}>
          {step < 2 && <button onClick={() => setStep(1)}>mark</button>}
          <ul>
            <li>
              <a href="#ada">ada</a>
            </li>
          </ul>
        </main>
        {step > 0 && step < 3 && (
          <div role="dialog">
            <button autoFocus onClick={() => setStep(step + 1)}>
              yes
            </button>
          </div>
        )}
      </>
    )
  }
  render(<Bulk />)
  await press('mark')
  await press('yes')
  expect(screen.getByRole('button', { name: 'yes' })).toHaveFocus()
  await press('yes')
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
})
