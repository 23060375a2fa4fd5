/**
 * The service worker: starts the application without network (§17.1). It keeps the application's own files and no answer
 * of the backend; what members read is kept by src/lib/device. Built by scripts/service-worker.mjs.
 */
import { createHandlerBoundToURL, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import type { PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { NetworkFirst } from 'workbox-strategies'
import { takePushes } from './push'

declare const self: ServiceWorkerGlobalScope
/** Written in by the build: the files of the application, and the paths of its pages as regular expressions. */
declare const FILES: PrecacheEntry[]
declare const MEMBER_PAGES: string[]
declare const PUBLIC_PAGES: string[]

const shell = '/app.html'
const config = '/config.js'
const configCache = 'muster-config'

precacheAndRoute(FILES, { directoryIndex: '', cleanURLs: false })

// Members' pages are the same file for everybody: taken from here at once, with the scripts that belong to it.
const only = (paths: string[]) => paths.map((path) => new RegExp(path))
registerRoute(new NavigationRoute(createHandlerBoundToURL(shell), { allowlist: only(MEMBER_PAGES) }))

// Public pages are written by the server.
registerRoute(
  new NavigationRoute(
    async ({ request }) => {
      try {
        return await fetch(request)
      } catch (cause) {
        const kept = await matchPrecache(shell)
        if (kept) return kept
        throw cause
      }
    },
    { allowlist: only(PUBLIC_PAGES) },
  ),
)

// Names the backend, whose keys may be rotated: the kept one is for starts without network.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === config,
  new NetworkFirst({ cacheName: configCache, networkTimeoutSeconds: 3 }),
)
self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(configCache).then((cache) => cache.add(config)))
})

takePushes(self, only(MEMBER_PAGES))

// A new version waits for the next start, unless the member asks for it (src/lib/device/updates.ts, §17.4).
self.addEventListener('message', (event) => {
  if ((event.data as { type?: unknown } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})
