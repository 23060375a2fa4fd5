/** Says that a new version is here, and takes it at a press (§17.4). Starts the service worker. */
import { RefreshCw } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { watchWriting } from '@/lib/browser/writing'
import { startUpdates, takeUpdate, updates } from '@/lib/device/updates'

const copy = {
  ready: 'A new version of Muster is here.',
  take: 'Update now',
  asked: 'Muster updates when you’ve finished writing.',
} as const

export function UpdateStrip() {
  const { ready, asked } = useSyncExternalStore(updates.subscribe, updates.current)
  useEffect(watchWriting, [])
  useEffect(startUpdates, [])
  if (!ready) return null
  return (
    <p
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-3 border-b border-line bg-ember-soft px-4 py-1.5 text-label font-semibold"
    >
      <RefreshCw aria-hidden className="size-4 shrink-0" />
      {asked ? copy.asked : copy.ready}
      {!asked && (
        <button type="button" className="min-h-6 link-inline" onClick={takeUpdate}>
          {copy.take}
        </button>
      )}
    </p>
  )
}
