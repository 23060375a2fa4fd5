/** Keeps the position of keyboard users where the focused element is removed or replaced: in a list, or on a page. */
import { type RefObject, useEffect } from 'react'

const rows = 'li, [role=listitem]'
const stops = 'a[href], button, input, select, textarea'
const everyMs = 100

const isLost = () => document.activeElement === null || document.activeElement === document.body

/**
 * Tracks the focused element inside `area`. When it leaves the document, focus moves to the start of its row (never to the
 * next button: a second key press must not trigger it), or of the row that took its place, or to the page's content.
 */
export function useFocusKept(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = area.current
    if (!element) return
    let held: { stop: Element; row: Element | null; place: number } | null = null
    let timer = 0

    const hold = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const row = target.closest(rows)
      held = { stop: target, row, place: row ? [...element.querySelectorAll(rows)].indexOf(row) : 0 }
    }
    const handOn = () => {
      if (!held) return
      const all = held.row ? [...element.querySelectorAll(rows)] : []
      const row = held.row?.isConnected ? held.row : (all[held.place] ?? all.at(-1))
      const next = row?.querySelector<HTMLElement>(stops) ?? document.getElementById('main')
      held = null
      next?.focus({ preventScroll: true })
    }
    /** A confirmation dialog closes a moment after its answer; until then it keeps the focus. */
    const look = () => {
      window.clearTimeout(timer)
      if (!held || held.stop.isConnected) return
      if (isLost()) handOn()
      else if (document.activeElement?.closest('[role=dialog]')) timer = window.setTimeout(look, everyMs)
    }
    const observer = new MutationObserver(look)
    observer.observe(element, { childList: true, subtree: true })
    element.addEventListener('focusin', hold)
    return () => {
      // The list is removed with its last row: fall back to the page.
      window.clearTimeout(timer)
      observer.disconnect()
      element.removeEventListener('focusin', hold)
      if (held && !document.hidden)
        window.setTimeout(() => isLost() && document.getElementById('main')?.focus({ preventScroll: true }))
    }
  }, [area])
}
