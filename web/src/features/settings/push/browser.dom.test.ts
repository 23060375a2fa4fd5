import { afterEach, describe, expect, it, vi } from 'vitest'
import { NotAllowed, subscribe, support } from './browser'

afterEach(() => vi.unstubAllGlobals())

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1'

function browser({ permission = 'default', agent = 'Chrome', worker = {}, standalone = false } = {}) {
  vi.stubGlobal('navigator', { userAgent: agent, maxTouchPoints: 5, serviceWorker: worker })
  vi.stubGlobal('Notification', { permission, requestPermission: () => Promise.resolve(permission) })
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('matchMedia', () => ({ matches: standalone }))
}

describe('§17.3 what stands between a browser and notifications', () => {
  it('is nothing, before anybody was asked', () => {
    browser()
    expect(support()).toBe('ready')
  })

  it('is that they are blocked', () => {
    browser({ permission: 'denied' })
    expect(support()).toBe('denied')
  })

  it.each([
    [iPhone, false, 'install'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', false, 'install'],
    [iPhone, true, 'unsupported'],
    ['Mozilla/5.0 (X11; Linux x86_64) Something/1.0', false, 'unsupported'],
  ])('is the browser: %s, installed: %s', (agent, standalone, want) => {
    browser({ agent, standalone })
    vi.stubGlobal('PushManager', undefined)
    Reflect.deleteProperty(globalThis, 'PushManager')
    expect(support()).toBe(want)
  })
})

describe('§17.3 subscribing', () => {
  it('asks first, and takes a no for an answer', async () => {
    browser({ permission: 'denied' })
    await expect(subscribe('key')).rejects.toBeInstanceOf(NotAllowed)
  })

  it('is new each time: another member of this browser may have had the last address', async () => {
    const unsubscribe = vi.fn(() => Promise.resolve(true))
    const made = { endpoint: 'https://push.example.net/2', toJSON: () => ({ keys: { p256dh: 'B', auth: 'A' } }) }
    const pushManager = {
      getSubscription: () => Promise.resolve({ unsubscribe }),
      subscribe: vi.fn(() => Promise.resolve(made)),
    }
    browser({ permission: 'granted', worker: { ready: Promise.resolve({ pushManager }) } })
    await expect(subscribe('key')).resolves.toEqual({ endpoint: made.endpoint, p256dh: 'B', auth: 'A' })
    expect(unsubscribe).toHaveBeenCalledTimes(1)
    expect(pushManager.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: 'key' })
  })
})
