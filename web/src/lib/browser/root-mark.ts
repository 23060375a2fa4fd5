/** Says on the root element what is shown, for what makes room for it elsewhere on the page. */
import { useLayoutEffect } from 'react'

type Mark = 'dialog' | 'thread' | 'strip' | 'strip-on-desktop'

const shown = new Map<Mark, number>()

function count(mark: Mark, difference: 1 | -1): void {
  const now = (shown.get(mark) ?? 0) + difference
  shown.set(mark, now)
  document.documentElement.toggleAttribute(`data-has-${mark}`, now > 0)
}

/**
 * The root element has `data-has-<mark>` while `isShown`, for any number of them at once.
 *
 * A rule with `:has()` says the same, but then each element that is added anywhere has the browser style the whole page
 * again.
 */
export function useRootMark(mark: Mark, isShown = true): void {
  useLayoutEffect(() => {
    if (!isShown) return
    count(mark, 1)
    return () => count(mark, -1)
  }, [mark, isShown])
}
