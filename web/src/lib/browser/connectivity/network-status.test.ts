import { expect, it } from 'vitest'
import { combine } from './network-status'

it('§4.6 shows online, poor or offline', () => {
  expect([combine(true, 'good'), combine(true, 'unknown'), combine(true, 'poor'), combine(false, 'good')]).toEqual([
    'online',
    'online',
    'poor',
    'offline',
  ])
})
