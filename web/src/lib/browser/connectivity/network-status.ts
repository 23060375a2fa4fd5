/** The network status, provided to components. */
import { createContext, useContext } from 'react'
import type { Quality } from './probe'

/** §4.6: the state shown in the member layout. */
export type CombinedStatus = 'online' | 'poor' | 'offline'

export interface NetworkStatus {
  online: boolean
  quality: Quality
  combined: CombinedStatus
  check: () => void
}

export const combine = (online: boolean, quality: Quality): CombinedStatus =>
  !online ? 'offline' : quality === 'poor' ? 'poor' : 'online'

export const NetworkStatusContext = createContext<NetworkStatus | null>(null)

export function useNetworkStatus(): NetworkStatus {
  const status = useContext(NetworkStatusContext)
  if (!status) throw new Error('useNetworkStatus must be used within a NetworkStatusProvider') // §8.5
  return status
}

export const copy = {
  offline: {
    title: "You're offline",
    description: 'Please check your connection. Some features may not work.',
    variant: 'destructive',
    id: 'network',
  }, // §4.7
  online: { title: "You're back online", description: 'Your connection has been restored.', id: 'network' }, // §4.8
  /** §17.1 */
  asOf: (time: string) => `As of ${time}.`,
  missing: 'Not all of this page was read on this device.',
  tooltip: {
    online: 'Connected', // §2.38
    poor: 'Poor connection. Some features may be slow.', // §2.39
    offline: "You're offline. Some features may not be available.", // §2.40
  },
} as const
