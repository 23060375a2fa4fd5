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

it('colors the browser’s own bar, too', () => {
  document.head.innerHTML = ['light', 'dark']
    .map((scheme) => `<meta name="theme-color" data-scheme="${scheme}" media="(prefers-color-scheme: ${scheme})">`)
    .join('')
  const media = () => [...document.querySelectorAll('meta')].map((meta) => meta.media)
  chooseTheme('dark')
  expect(media()).toEqual(['not all', 'all'])
  chooseTheme('system')
  expect(media()).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)'])
})

it('is the system’s when something else is stored', () => {
  localStorage.setItem('muster:theme', 'sepia')
  expect(readTheme()).toBe('system')
})
