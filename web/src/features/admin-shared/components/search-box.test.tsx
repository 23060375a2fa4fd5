import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { SearchBox } from './search-box'

/** A page whose address changes a while after a search, as a router's does. */
function Page({ onSearch }: { onSearch: (answer: () => void) => void }) {
  const [value, setValue] = useState('')
  return (
    <>
      <SearchBox value={value} label="Search" onSearch={(text) => onSearch(() => setValue(text))} />
      <button onClick={() => setValue('')}>Clear filters</button>
    </>
  )
}

test('what is typed while a search is on its way stays', async () => {
  const answers: (() => void)[] = []
  const user = userEvent.setup()
  render(<Page onSearch={(answer) => answers.push(answer)} />)
  const field = screen.getByRole('searchbox')
  await user.type(field, 'no')
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  await user.type(field, 'ra')
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  await user.type(field, '!')
  for (const answer of answers) {
    answer()
    await vi.waitFor(() => expect(field).toHaveValue('nora!'))
  }
  await vi.waitFor(() => expect(answers).toHaveLength(3))
  answers[2]!()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(field).toHaveValue('')
})
