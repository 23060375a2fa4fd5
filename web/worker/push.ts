/**
 * Web push (§17.3): shows what the server pushed, and opens it in a window that is there. The payload is written by
 * muster_functions/push/message.py.
 */

interface Pushed {
  title: string
  body: string
  /** A path of this site. */
  url: string
  /** One with the same tag takes the place of an earlier one. */
  tag: string
}

const fallback: Pushed = { title: 'News from Muster', body: '', url: '/notifications', tag: 'other' }

const isPath = (url: unknown): url is string => typeof url === 'string' && /^\/(?![/\\])/.test(url)
const textOr = (value: unknown, otherwise: string) => (typeof value === 'string' && value ? value : otherwise)

/** What is not of our server's shape still has to be shown: browsers end subscriptions whose pushes show nothing. */
function read(data: PushMessageData | null): Pushed {
  let given: Partial<Record<keyof Pushed, unknown>> | null
  try {
    given = data?.json() as typeof given
  } catch {
    given = null
  }
  if (typeof given !== 'object' || given === null) return fallback
  return {
    title: textOr(given.title, fallback.title),
    body: textOr(given.body, ''),
    url: isPath(given.url) ? given.url : fallback.url,
    tag: textOr(given.tag, fallback.tag),
  }
}

const patienceMs = 1_000

/** Asks a page to go somewhere; whether it does. */
const goes = (page: WindowClient, url: string) =>
  new Promise<boolean>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), patienceMs)
    page.postMessage({ type: 'OPEN', url }, [port2])
  })

/** WebKit ends a subscription whose pushes show nothing, whether or not a window is visible. */
const mustShow = (agent: string) => agent.includes('AppleWebKit') && !/Chrom(e|ium)\//.test(agent)

/** `memberPages`: the paths of pages that go where they are asked to (src/lib/device/use-push-links.ts). */
export function takePushes(worker: ServiceWorkerGlobalScope, memberPages: RegExp[]): void {
  const windows = () => worker.clients.matchAll({ type: 'window', includeUncontrolled: true })

  async function show(pushed: Pushed): Promise<void> {
    // Who is looking at Muster is told there.
    const isWatched = (await windows()).some(({ visibilityState }) => visibilityState === 'visible')
    if (isWatched && !mustShow(worker.navigator.userAgent)) return
    await worker.registration.showNotification(pushed.title, {
      body: pushed.body,
      tag: pushed.tag,
      icon: '/app-icon-192.png',
      data: { url: pushed.url },
    })
  }

  async function open(url: string): Promise<void> {
    const isMembers = (client: WindowClient) => {
      const { pathname } = new URL(client.url)
      return memberPages.some((page) => page.test(pathname))
    }
    const [shown] = (await windows())
      .filter(isMembers)
      .toSorted((one, other) => Number(other.focused) - Number(one.focused))
    if (!shown) {
      await worker.clients.openWindow(url)
      return
    }
    const focused = shown.focus().catch(() => undefined)
    // The page goes there by itself, so that nothing that is being written is lost; one that still starts is loaded.
    if (!(await goes(shown, url))) await shown.navigate(url).catch(() => worker.clients.openWindow(url))
    await focused
  }

  worker.addEventListener('push', (event) => event.waitUntil(show(read(event.data))))
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close()
    const data = event.notification.data as { url?: unknown } | null
    event.waitUntil(open(isPath(data?.url) ? data.url : fallback.url))
  })
}
