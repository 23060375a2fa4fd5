/** A subscription that gave up begins anew when there is reason to hope: online again, looked at again, or a minute later. */
import { useCallback, useEffect, useState } from 'react'

const hopeEveryMs = 60_000

interface Revival {
  /** Changes when the subscription should begin anew; above 0 something may have been missed. */
  round: number
  giveUp: () => void
}

export function useRevival(): Revival {
  const [round, setRound] = useState(0)
  const [gaveUp, setGaveUp] = useState(false)
  const giveUp = useCallback(() => setGaveUp(true), [])
  useEffect(() => {
    if (!gaveUp) return
    const revive = () => {
      setGaveUp(false)
      setRound((before) => before + 1)
    }
    const looked = () => {
      if (document.visibilityState === 'visible') revive()
    }
    window.addEventListener('online', revive)
    document.addEventListener('visibilitychange', looked)
    const timer = window.setTimeout(revive, hopeEveryMs)
    return () => {
      window.removeEventListener('online', revive)
      document.removeEventListener('visibilitychange', looked)
      window.clearTimeout(timer)
    }
  }, [gaveUp])
  return { round, giveUp }
}
