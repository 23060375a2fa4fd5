/** Measured row heights of lists, kept until the page is unloaded, so that Back restores the exact scroll position. */
import type { VirtualItem } from '@tanstack/react-virtual'

const mostLists = 20
const known = new Map<string, VirtualItem[]>()

/** Row heights depend on the window width. */
const placeOf = (memory: string) => `${window.innerWidth} ${memory}`

export const sizesOf = (memory: string | undefined): VirtualItem[] =>
  (memory !== undefined && known.get(placeOf(memory))) || []

export function keepSizes(memory: string | undefined, rows: VirtualItem[]): void {
  if (memory === undefined || rows.length === 0) return
  known.delete(placeOf(memory))
  known.set(placeOf(memory), rows)
  const [oldest] = known.keys()
  if (known.size > mostLists && oldest !== undefined) known.delete(oldest)
}
