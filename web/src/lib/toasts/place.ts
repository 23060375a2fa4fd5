/** At which edge a toast appears. Pure. */
import { limits } from '@/config/limits'

interface Box {
  top: number
  right: number
  bottom: number
}

export interface Surroundings {
  width: number
  height: number
  /** What was pressed last or is being written in, which the toast speaks of; null for the page itself. */
  focus: Box | null
  /** A dialog, or buttons that stay at the foot of the page. */
  hasFoot: boolean
  /** A composer, above which tokens.css lifts toasts. */
  hasComposer: boolean
}

/** What a toast needs at an edge, in px: its margin, the bar or the dock, and two lines of text. */
const reach = { height: 160, width: 400 }

/**
 * Bottom right (§9.30), or top right where that would cover the focus. On a phone under the bar, since at the bottom are
 * the dock, the buttons of forms and the keyboard; or above the dock, when the focus is under the bar.
 */
export function placeOfToast({ width, height, focus, hasFoot, hasComposer }: Surroundings) {
  const isMobile = width < limits.mobileBelowPx
  const seen = focus && focus.bottom > 0 && focus.top < height ? focus : null
  const atTop = seen !== null && seen.top < reach.height
  const atBottom = seen !== null && seen.bottom > height - reach.height
  if (!isMobile) return !hasComposer && atBottom && seen.right > width - reach.width ? 'top-right' : 'bottom-right'
  if (hasFoot) return 'top-center'
  return hasComposer || atTop ? 'bottom-center' : 'top-center'
}
