/**
 * Saves a second fetch after the page was loaded. Live queries have to be fetched after their subscription is confirmed, or
 * an event in between is missed; a query fetched earlier is fetched again then. So the counts in the layout wait for the
 * subscription first, at most `patienceMs`: a badge may appear a little late. The content of a page waits only briefly,
 * which is enough on a fast network.
 */

/** The kinds of subscriptions, one each (§4.39). */
export type Followed = 'connections' | 'messages' | 'notifications'

const patienceMs = 1_000
export const pagePatienceMs = 150

export function makeGates() {
  const open = new Set<Followed>()
  const waiting = new Map<Followed, Set<() => void>>()
  return {
    /** The subscription of this kind is confirmed. */
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
     * Resolves when the subscription is confirmed, when the wait times out, or when the request is aborted: with whether the
     * subscription is confirmed.
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
