/** Loads the toaster with the first thing to say, or when the browser is idle. */
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { logError } from '@/lib/log'
import { onWaiting } from '@/lib/notify'
import { whenIdle } from '@/lib/when-idle'

const quietMs = 2_000

// Offline it can't be loaded: what would have been said is not worth the page.
const load = () => import('@/components/ui/toaster')
const Toaster = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return await load()
  } catch (cause) {
    logError('The toaster could not be loaded', cause)
    return { default: () => null }
  }
})

export function ToasterHost() {
  const [wanted, setWanted] = useState(false)
  useEffect(() => onWaiting(() => setWanted(true)), [])
  // Fetched before it is needed: "You're offline" can't be said by a script that is still on the server.
  useEffect(() => {
    let cancelIdle = () => {}
    const timer = window.setTimeout(() => {
      cancelIdle = whenIdle(() => void load().catch(() => undefined))
    }, quietMs)
    return () => {
      window.clearTimeout(timer)
      cancelIdle()
    }
  }, [])
  return wanted ? (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  ) : null
}
