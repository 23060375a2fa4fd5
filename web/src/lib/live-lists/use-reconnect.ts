/** Restarts a subscription that gave up: when the browser is online again, when the tab is shown again, or a minute later. */
import { useCallback, useEffect, useState } from 'react'

const retryEveryMs = 60_000

interface Reconnect {
  /** Changes when the subscription should reconnect; above 0 events may have been missed. */
  round: number
  giveUp: () => void
}

export function useReconnect(): Reconnect {
  const [round, setRound] = useState(0)
  const [gaveUp, setGaveUp] = useState(false)
  const giveUp = useCallback(() => setGaveUp(true), [])
  useEffect(() => {
    if (!gaveUp) return
    const reconnect = () => {
      setGaveUp(false)
      setRound((before) => before + 1)
    }
    const onVisible = () => {
      if (document.visibilityState === 'visible') reconnect()
    }
    window.addEventListener('online', reconnect)
    document.addEventListener('visibilitychange', onVisible)
    const timer = window.setTimeout(reconnect, retryEveryMs)
    return () => {
      window.removeEventListener('online', reconnect)
      document.removeEventListener('visibilitychange', onVisible)
      window.clearTimeout(timer)
    }
  }, [gaveUp])
  return { round, giveUp }
}
