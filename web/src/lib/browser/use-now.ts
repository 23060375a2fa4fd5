/** The time, for pages that stay open: moves on once a minute, by one timer for all that show it. */
import { useMemo, useSyncExternalStore } from 'react'

const minuteMs = 60_000

let current = Date.now()
let timer: number | undefined
const listeners = new Set<() => void>()

function tick(): void {
  current = Date.now()
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    timer = window.setInterval(tick, minuteMs)
    tick()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.clearInterval(timer)
  }
}

export function useNow(): Date {
  const now = useSyncExternalStore(subscribe, () => current)
  return useMemo(() => new Date(now), [now])
}
