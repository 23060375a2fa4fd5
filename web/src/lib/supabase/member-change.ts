/** Announces that another member, or none, uses this browser now: what one has loaded is never shown to the next. */

const listeners = new Set<() => void>()

export function onMemberChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const memberChanged = () => listeners.forEach((listener) => listener())
