import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useIsMobile } from './media'

it('§9.7 mobile is everything under 768 px', () => {
  const matchMedia = vi.spyOn(window, 'matchMedia')
  renderHook(() => useIsMobile())
  expect(matchMedia).toHaveBeenCalledWith('(max-width: 767px)')
})
