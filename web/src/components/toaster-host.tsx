/** Loads the toaster with the first thing to say, or when the browser is idle. */
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { logError } from '@/lib/log'
import { onWaiting } from '@/lib/notify'

// Offline it can't be loaded: what would have been said is not worth the page.
const Toaster = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return await import('@/components/ui/toaster')
  } catch (cause) {
    logError('The toaster could not be loaded', cause)
    return { default: () => null }
  }
})

export function ToasterHost() {
  const [wanted, setWanted] = useState(false)
  useEffect(() => onWaiting(() => setWanted(true)), [])
  return wanted ? (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  ) : null
}
