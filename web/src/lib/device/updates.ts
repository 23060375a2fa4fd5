/**
 * Registers the service worker, and takes new versions: at the next start, or when the member says so; never while
 * something is being written (§17.4).
 */
import { Workbox } from 'workbox-window'
import { logError } from '@/lib/browser/log'
import { whenNobodyWrites } from '@/lib/browser/writing'

interface Updates {
  /** A new version is here and waits. */
  ready: boolean
  /** The member asked for it, and something is still being written. */
  asked: boolean
}

const lookEveryMs = 30 * 60_000
/** A worker that does not take over in this time was replaced by a newer one. */
const takeOverMs = 5_000

let state: Updates = { ready: false, asked: false }
const listeners = new Set<() => void>()
let worker: Workbox | null = null

function change(next: Updates): void {
  state = next
  listeners.forEach((listener) => listener())
}

export const updates = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: () => state,
}

/** Over plain HTTP, except on this machine, browsers have no service workers: then the application needs the network. */
export function startUpdates(): void {
  if (worker || !('serviceWorker' in navigator)) return
  const started = new Workbox('/sw.js')
  worker = started
  started.addEventListener('waiting', () => change({ ...state, ready: true }))
  // Only where a tab asked for it: a first worker does not take over pages that are open.
  const wasControlled = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (wasControlled) window.location.reload()
  })
  started.register().catch((cause: unknown) => logError('The service worker was not registered', cause))
  window.setInterval(() => {
    if (navigator.onLine) started.update().catch((cause: unknown) => logError('No new version was looked for', cause))
  }, lookEveryMs)
}

/** Takes the new version as soon as nobody writes, in any tab; all of them load it. */
export function takeUpdate(): void {
  if (state.asked) return
  change({ ...state, asked: true })
  void whenNobodyWrites(
    () =>
      new Promise((resolve) => {
        window.setTimeout(resolve, takeOverMs)
        worker?.addEventListener('controlling', () => resolve())
        worker?.messageSkipWaiting()
      }),
  )
}
