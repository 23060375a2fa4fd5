import { afterEach, expect, it } from 'vitest'
import { chooseTheme, readTheme } from './theme'

afterEach(() => chooseTheme('system'))

it('is kept under the key that boot.js reads, and shown at once', () => {
  expect(readTheme()).toBe('system')
  chooseTheme('dark')
  expect([readTheme(), localStorage.getItem('muster:theme'), document.documentElement.dataset.theme]).toEqual([
    'dark',
    'dark',
    'dark',
  ])
  chooseTheme('system')
  expect([readTheme(), localStorage.getItem('muster:theme'), document.documentElement.dataset.theme]).toEqual([
    'system',
    null,
    undefined,
  ])
})

it('is the system’s when something else is stored', () => {
  localStorage.setItem('muster:theme', 'sepia')
  expect(readTheme()).toBe('system')
})
