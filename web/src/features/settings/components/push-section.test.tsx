import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { defaultSettings } from '@/api/notifications/settings'
import { PushSection } from './push-section'

const devices = vi.hoisted(() => ({
  readDevices: vi.fn(),
  addDevice: vi.fn(),
  tellDevice: vi.fn(),
  changeDevice: vi.fn(),
}))
const browser = vi.hoisted(() => ({ support: vi.fn(), subscribe: vi.fn() }))
const env = vi.hoisted(() => ({ pushKey: 'key' }))
const toasts = vi.hoisted(() => ({ showToast: vi.fn() }))
vi.mock('../push/devices', () => ({
  ...devices,
  devicesKey: ['devices'],
  devicesQuery: { queryKey: ['devices'], queryFn: () => devices.readDevices() as Promise<unknown> },
}))
vi.mock('../push/browser', async (original) => ({ ...(await original<object>()), ...browser }))
vi.mock('@/config/env', () => ({ readEnv: () => env }))
vi.mock('@/lib/toasts/toast', () => toasts)

const own = {
  id: '1',
  device: 'Chrome on Windows',
  is_this: true,
  endpoint: 'https://push.example.net/1',
  server_key: 'key',
  preferences: ['messages'],
  hides_content: false,
  quiet_from: '22:00',
  quiet_until: '07:00',
  created_at: '2026-01-01T00:00:00Z',
  last_sent_at: null,
}

function shown(settings = defaultSettings()) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <PushSection settings={settings} />
    </QueryClientProvider>,
  )
}

beforeEach(() => {
  vi.resetAllMocks()
  env.pushKey = 'key'
  devices.readDevices.mockResolvedValue([])
  browser.support.mockReturnValue('ready')
})

it.each([
  ['denied', /^This browser blocks notifications from Muster\./],
  ['install', /^On iPhone and iPad, Muster has to be on your Home Screen/],
  ['unsupported', /^This browser can’t show notifications while Muster is closed\./],
])('§17.3 says what is in the way: %s', async (state, words) => {
  browser.support.mockReturnValue(state)
  shown()
  expect(await screen.findByText(words)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Turn on for this device' })).toBeNull()
})

it('§17.3 asks nobody before a press, and takes a no', async () => {
  const { NotAllowed } = await import('../push/browser')
  browser.subscribe.mockRejectedValue(new NotAllowed())
  shown()
  const button = await screen.findByRole('button', { name: 'Turn on for this device' })
  expect(browser.subscribe).not.toHaveBeenCalled()
  await userEvent.click(button)
  expect(toasts.showToast).toHaveBeenCalledWith(expect.objectContaining({ title: 'Notifications stay off' }))
  expect(devices.addDevice).not.toHaveBeenCalled()
})

it('§17.3 a server without keys offers nothing', () => {
  env.pushKey = ''
  shown()
  expect(screen.queryByText('On your devices')).toBeNull()
  expect(devices.readDevices).not.toHaveBeenCalled()
})

it('§17.3 kinds are chosen by device; what raises no alert can not be', async () => {
  devices.readDevices.mockResolvedValue([own])
  const settings = defaultSettings()
  settings.preferences.mentions.muted = true
  shown(settings)
  expect(await screen.findByRole('checkbox', { name: 'Mentions' })).toBeDisabled()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Trainings' }))
  expect(devices.changeDevice).toHaveBeenLastCalledWith('1', { preferences: ['messages', 'trainings'] })
})

it('§17.3 quiet hours with one end twice are not saved', async () => {
  devices.readDevices.mockResolvedValue([own])
  shown()
  const until = await screen.findByLabelText('Until')
  await userEvent.clear(until)
  await userEvent.type(until, '22:00')
  expect(screen.getByText('Choose two different times')).toBeVisible()
  expect(devices.changeDevice).not.toHaveBeenCalled()
})

it('§17.3 a change waits for the one before it, so that the last one stays', async () => {
  devices.readDevices.mockResolvedValue([own])
  let finish = () => {}
  devices.changeDevice.mockReturnValueOnce(new Promise<void>((resolve) => (finish = resolve)))
  shown()
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Trainings' }))
  fireEvent.change(screen.getByLabelText('Until'), { target: { value: '06:30' } })
  await waitFor(() => expect(screen.getByLabelText('Until')).toHaveValue('06:30'))
  expect(devices.changeDevice).toHaveBeenCalledTimes(1)
  expect(devices.readDevices).toHaveBeenCalledTimes(1)
  finish()
  await waitFor(() =>
    expect(devices.changeDevice).toHaveBeenLastCalledWith('1', { quiet_from: '22:00', quiet_until: '06:30' }),
  )
  await waitFor(() => expect(devices.readDevices).toHaveBeenCalledTimes(2))
})
