/** Media queries as values. */
import { useSyncExternalStore } from 'react'
import { limits } from '@/config/limits'

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => window.matchMedia(query).matches,
    () => false,
  )
}

/** §2.24, §9.7: mobile is a viewport under 768 px. */
const mobile = `(max-width: ${limits.mobileBelowPx - 1}px)`
export const useIsMobile = () => useMedia(mobile)
export const useReducedMotion = () => useMedia('(prefers-reduced-motion: reduce)')
