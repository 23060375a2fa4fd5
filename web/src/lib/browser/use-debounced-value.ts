/** A value once it has stopped changing for a moment: what is typed is asked for when one pauses, not with each key. */
import { useEffect, useState } from 'react'

export function useSettled<T>(value: T, afterMs = 200): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), afterMs)
    return () => window.clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
