/**
 * Runs one action at a time: a second click while the first is running does nothing. The pending state renders a moment
 * after the first click; a fast double click on a slow device comes before it.
 */
import { useRef } from 'react'

/** The action reports its own errors. */
export function useSingleFlight(): (action: () => Promise<unknown>) => void {
  const running = useRef(false)
  return (action) => {
    if (running.current) return
    running.current = true
    const done = () => {
      running.current = false
    }
    action().then(done, done)
  }
}
