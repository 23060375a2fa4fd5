/** The browser's side of web push (§17.3): what it can do, and its subscription. The service worker shows what comes. */

export type Support = 'ready' | 'denied' | 'install' | 'unsupported'

const workerPatienceMs = 5_000

/** iPads call themselves Macs, which have no touch screen. */
const isAppleTouch = () =>
  /iPhone|iPad/.test(navigator.userAgent) || (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

/** What stands between this browser and notifications; asks nobody anything. */
export function support(): Support {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return isAppleTouch() && !window.matchMedia('(display-mode: standalone)').matches ? 'install' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'ready'
}

/** The member said no, or closed the browser's question. */
export class NotAllowed extends Error {}

export interface Subscribed {
  endpoint: string
  p256dh: string
  auth: string
}

/** The worker is registered once the page has loaded; where none will come, this says so. */
async function registration(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) => {
    window.setTimeout(() => reject(new Error('There is no service worker')), workerPatienceMs)
  })
  return Promise.race([navigator.serviceWorker.ready, late])
}

/** The address that this browser is told at; null while it is not. */
export async function currentEndpoint(): Promise<string | null> {
  const { pushManager } = await registration()
  return (await pushManager.getSubscription())?.endpoint ?? null
}

/** Subscribes anew: another member of this browser may have had the last address. Throws NotAllowed. */
export async function subscribe(serverKey: string): Promise<Subscribed> {
  if ((await Notification.requestPermission()) !== 'granted') throw new NotAllowed()
  const { pushManager } = await registration()
  await (await pushManager.getSubscription())?.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey })
  const { keys } = made.toJSON()
  if (!keys?.p256dh || !keys.auth) throw new Error('The browser gave no keys')
  return { endpoint: made.endpoint, p256dh: keys.p256dh, auth: keys.auth }
}

export async function unsubscribe(): Promise<void> {
  const { pushManager } = await registration()
  await (await pushManager.getSubscription())?.unsubscribe()
}
