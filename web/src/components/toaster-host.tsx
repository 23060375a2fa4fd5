/** Loads the toaster when the page is idle, or with the first toast. */
import { type ComponentType, useEffect, useState } from 'react'
import { logError } from '@/lib/browser/log'
import { onWaiting, showCarriedToasts } from '@/lib/toasts/toast'
import { importHandled } from '@/lib/browser/handled-import'
import { hasStoredSession } from '@/lib/supabase/session-storage'
import { whenIdle } from '@/lib/browser/when-idle'

/** A landing page renders first; member pages show toasts, also while the connection is down. */
const quietMs = () => (hasStoredSession() ? 0 : 2_000)

const load = () => import('@/components/ui/toaster')

export function ToasterHost() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null)
  const here = Toaster !== null
  useEffect(showCarriedToasts, [])
  useEffect(() => {
    if (here) return
    let left = false
    // When its chunk fails to load, a toast waits for the next attempt: another toast, or the restored connection.
    const bring = () =>
      void importHandled(load).then(
        (module) => left || setToaster(() => module.default),
        (cause: unknown) => logError('The toaster could not be loaded', cause),
      )
    const stopListening = onWaiting(bring)
    window.addEventListener('online', bring)
    // Prefetched: "You're offline" cannot be shown by a chunk that is still on the server.
    let cancelIdle = () => {}
    const timer = window.setTimeout(() => {
      cancelIdle = whenIdle(bring)
    }, quietMs())
    return () => {
      left = true
      stopListening()
      window.removeEventListener('online', bring)
      window.clearTimeout(timer)
      cancelIdle()
    }
  }, [here])
  return Toaster && <Toaster />
}
