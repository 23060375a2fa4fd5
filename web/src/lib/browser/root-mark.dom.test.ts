import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useRootMark } from './root-mark'

const isMarked = () => document.documentElement.hasAttribute('data-has-dialog')

it('marks the root while any of several is shown', () => {
  const first = renderHook(({ isShown }) => useRootMark('dialog', isShown), { initialProps: { isShown: false } })
  expect(isMarked()).toBe(false)
  first.rerender({ isShown: true })
  const second = renderHook(() => useRootMark('dialog'))
  expect(isMarked()).toBe(true)
  first.rerender({ isShown: false })
  expect(isMarked()).toBe(true)
  second.unmount()
  expect(isMarked()).toBe(false)
  first.unmount()
  expect(isMarked()).toBe(false)
})
