/** Monitors the connection: browser events; a probe at startup, when online again and every 30 s (§4.2-8, §7.48). */
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { readEnv } from '@/config/env'
import { limits } from '@/config/limits'
import { showToast } from '@/lib/toasts/toast'
import { whenIdle } from '@/lib/browser/when-idle'
import { combine, copy, type NetworkStatus, NetworkStatusContext } from './network-status'
import { probe, type Quality } from './probe'

const measure = () => {
  const { probeUrl, supabaseKey } = readEnv()
  return probe(probeUrl, supabaseKey)
}

export function NetworkStatusProvider({ children }: { children: ReactNode }) {
  const [online, setOnline] = useState(() => navigator.onLine)
  const [quality, setQuality] = useState<Quality>('unknown')

  const check = useCallback(() => {
    if (!navigator.onLine) return setQuality('unknown') // §4.5
    void measure().then((next) => setQuality(navigator.onLine ? next : 'unknown'))
  }, [])

  useEffect(() => {
    const wentOffline = () => {
      setOnline(false)
      setQuality('unknown')
      showToast(copy.offline)
    }
    const cameOnline = () => {
      setOnline(true)
      showToast(copy.online)
      check()
    }
    const tick = () => {
      if (document.visibilityState === 'visible') check()
    }
    window.addEventListener('offline', wentOffline)
    window.addEventListener('online', cameOnline)
    // While the page starts, a probe may wait for it: a poor reading is taken once more.
    const cancelFirst = whenIdle(() => {
      if (navigator.onLine) void measure().then((first) => (first === 'poor' ? check() : setQuality(first)))
    })
    const timer = window.setInterval(tick, limits.probeEveryMs)
    return () => {
      window.removeEventListener('offline', wentOffline)
      window.removeEventListener('online', cameOnline)
      cancelFirst()
      window.clearInterval(timer)
    }
  }, [check])

  const value = useMemo<NetworkStatus>(
    () => ({ online, quality, combined: combine(online, quality), check }),
    [online, quality, check],
  )
  return <NetworkStatusContext value={value}>{children}</NetworkStatusContext>
}
