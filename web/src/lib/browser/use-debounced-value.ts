/** A value once it has not changed for `afterMs`: a search runs when typing pauses, not for each key. */
import { useEffect, useState } from 'react'

export function useDebouncedValue<T>(value: T, afterMs = 200): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), afterMs)
    return () => window.clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
