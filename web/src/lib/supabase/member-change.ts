/** Announces that another member, or none, is signed in now: cached data is never shown to the next member. */

const listeners = new Set<() => void>()

export function onMemberChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const memberChanged = () => listeners.forEach((listener) => listener())
