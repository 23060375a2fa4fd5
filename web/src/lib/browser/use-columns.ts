/** The number of card columns: one on mobile, two from 640 px, three from 1280 px. */
import { useSyncExternalStore } from 'react'

const two = '(min-width: 40rem)'
const three = '(min-width: 80rem)'

function watch(changed: () => void): () => void {
  const queries = [two, three].map((query) => window.matchMedia(query))
  queries.forEach((query) => query.addEventListener('change', changed))
  return () => queries.forEach((query) => query.removeEventListener('change', changed))
}

const count = () => (window.matchMedia(three).matches ? 3 : window.matchMedia(two).matches ? 2 : 1)

export const useColumns = (): number => useSyncExternalStore(watch, count)
