/** How many messages wait, in front of the title of every page while the member is signed in. */
import { useEffect, useSyncExternalStore } from 'react'

let waiting = 0
const listeners = new Set<() => void>()

function setWaiting(count: number): void {
  waiting = count
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useTitleCount = (): number =>
  useSyncExternalStore(
    subscribe,
    () => waiting,
    () => 0,
  )

/** Of the frame of the member's pages. */
export function useCountInTitle(count: number): void {
  useEffect(() => {
    setWaiting(count)
    return () => setWaiting(0)
  }, [count])
}
