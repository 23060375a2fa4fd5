/**
 * Saves the second fetch after a page was loaded. What is followed live has to be fetched once the database's changes
 * are followed, or an event between falls into the gap; what was fetched before is fetched again then. So the counts in
 * the frame wait for that moment first, and no longer than `patienceMs`: a badge may come a little late. What a page
 * shows waits a moment only, which is enough where the network is quick.
 */

/** What is followed: one subscription of each kind (§4.39). */
export type Followed = 'connections' | 'messages' | 'notifications'

const patienceMs = 1_000
export const pagePatienceMs = 150

export function makeGates() {
  const open = new Set<Followed>()
  const waiting = new Map<Followed, Set<() => void>>()
  return {
    /** Changes of this kind are followed from now on. */
    opened(kind: Followed): void {
      open.add(kind)
      for (const go of [...(waiting.get(kind) ?? [])]) go()
      waiting.delete(kind)
    },
    /** The subscription has ended. */
    closed(kind: Followed): void {
      open.delete(kind)
    },
    /**
     * Resolves when changes are followed, when patience ends, or when the request is aborted: to whether they are
     * followed now.
     */
    passed(kind: Followed, signal?: AbortSignal, patience = patienceMs): Promise<boolean> {
      if (open.has(kind) || signal?.aborted) return Promise.resolve(open.has(kind))
      return new Promise((resolve) => {
        const queue = waiting.get(kind) ?? new Set()
        const go = () => {
          clearTimeout(timer)
          queue.delete(go)
          signal?.removeEventListener('abort', go)
          resolve(open.has(kind))
        }
        const timer = setTimeout(go, patience)
        signal?.addEventListener('abort', go)
        waiting.set(kind, queue.add(go))
      })
    },
  }
}

export const gates = makeGates()
