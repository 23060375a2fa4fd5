/**
 * One at a time: a second press before the first one is done does nothing. That something is under way is drawn a moment
 * after the press; two quick ones on a slow phone come before.
 */
import { useRef } from 'react'

/** `act` says itself what went wrong. */
export function useSingleFlight(): (act: () => Promise<unknown>) => void {
  const running = useRef(false)
  return (act) => {
    if (running.current) return
    running.current = true
    const done = () => {
      running.current = false
    }
    act().then(done, done)
  }
}
