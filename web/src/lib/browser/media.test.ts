import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useIsMobile } from './media'

it('§9.7 mobile is everything under 768 px', () => {
  const asked = vi.spyOn(window, 'matchMedia')
  renderHook(() => useIsMobile())
  expect(asked).toHaveBeenCalledWith('(max-width: 767px)')
})
