import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { limits } from '@/config/limits'
import { Tooltip } from './tooltip'

it('§9.34 shows at once: no delay', async () => {
  expect(limits.tooltipDelayMs).toBe(0)
  render(
    <Tooltip label="Connected">
      <button type="button">Status</button>
    </Tooltip>,
  )
  await userEvent.setup().hover(screen.getByRole('button'))
  expect(document.querySelector('[data-slot="tooltip"]')).toHaveTextContent('Connected')
})
