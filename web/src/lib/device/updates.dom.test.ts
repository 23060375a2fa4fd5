import { beforeEach, expect, it, vi } from 'vitest'

const workbox = vi.hoisted(() => {
  const heard = new Map<string, () => void>()
  return {
    heard,
    messageSkipWaiting: vi.fn(),
    register: vi.fn(() => Promise.resolve()),
    addEventListener: (name: string, listener: () => void) => void heard.set(name, listener),
  }
})
const writing = vi.hoisted(() => ({ done: () => {} }))
vi.mock('workbox-window', () => ({
  Workbox: class {
    constructor() {
      return workbox
    }
  },
}))
vi.mock('@/lib/browser/writing', () => ({
  whenNobodyWrites: (work: () => Promise<void>) => {
    return new Promise<void>((resolve) => (writing.done = () => void work().then(resolve)))
  },
}))

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('navigator', { serviceWorker: { controller: null, addEventListener: vi.fn() } })
})

it('§17.4 a new version waits for the next start, or for a press and the end of writing', async () => {
  const { startUpdates, takeUpdate, updates } = await import('./updates')
  startUpdates()
  expect(updates.current()).toEqual({ ready: false, asked: false })
  workbox.heard.get('waiting')?.()
  expect(updates.current()).toEqual({ ready: true, asked: false })
  expect(workbox.messageSkipWaiting).not.toHaveBeenCalled()
  takeUpdate()
  expect(updates.current()).toEqual({ ready: true, asked: true })
  expect(workbox.messageSkipWaiting).not.toHaveBeenCalled()
  writing.done()
  expect(workbox.messageSkipWaiting).toHaveBeenCalledTimes(1)
  workbox.heard.get('controlling')?.()
})

it('§17.1 a browser without service workers is left alone', async () => {
  vi.stubGlobal('navigator', {})
  const { startUpdates, updates } = await import('./updates')
  startUpdates()
  expect(updates.current()).toEqual({ ready: false, asked: false })
})
