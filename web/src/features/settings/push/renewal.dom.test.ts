import { beforeEach, expect, it, vi } from 'vitest'

const devices = vi.hoisted(() => ({ readDevices: vi.fn(), addDevice: vi.fn() }))
const browser = vi.hoisted(() => ({ support: () => 'ready', currentEndpoint: vi.fn(), subscribe: vi.fn() }))
vi.mock('./devices', () => devices)
vi.mock('./browser', () => browser)
vi.mock('@/config/env', () => ({ readEnv: () => ({ pushKey: 'key' }) }))

const chosen = { preferences: ['messages'], hides_content: true, quiet_from: '22:00', quiet_until: '07:00' }
const own = { id: '1', is_this: true, endpoint: 'https://push.example.net/1', server_key: 'key', ...chosen }

beforeEach(() => {
  vi.resetAllMocks()
  vi.stubGlobal('Notification', { permission: 'granted' })
  devices.readDevices.mockResolvedValue([own])
  browser.currentEndpoint.mockResolvedValue(own.endpoint)
  browser.subscribe.mockResolvedValue({ endpoint: 'https://push.example.net/2' })
})

const renew = async () => (await import('./renewal')).renewDevice()

it('§17.3 a device that is told stays as it is', async () => {
  await renew()
  expect(browser.subscribe).not.toHaveBeenCalled()
})

it.each([
  ['its push service gave it another address', () => browser.currentEndpoint.mockResolvedValue(null)],
  ['the server has other keys', () => devices.readDevices.mockResolvedValue([{ ...own, server_key: 'old' }])],
])('§17.3 it subscribes again, with its choices, when %s', async (_name, change) => {
  change()
  await renew()
  expect(browser.subscribe).toHaveBeenCalledWith('key')
  expect(devices.addDevice).toHaveBeenCalledWith({ endpoint: 'https://push.example.net/2' }, chosen)
})

it.each([
  ['is not told', () => devices.readDevices.mockResolvedValue([{ ...own, is_this: false, server_key: 'old' }])],
  ['may not', () => vi.stubGlobal('Notification', { permission: 'default' })],
])('§17.3 a device that %s is asked nothing', async (_name, change) => {
  change()
  browser.currentEndpoint.mockResolvedValue(null)
  await renew()
  expect(browser.subscribe).not.toHaveBeenCalled()
})
