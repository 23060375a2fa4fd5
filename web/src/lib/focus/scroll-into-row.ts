/** Scrolls a horizontal row until its selected item is visible, without scrolling the page. A ref callback. */

/** How much of the neighboring item stays visible, in px, as a hint that there is more. */
const margin = 24

export function scrollIntoRow(chosen: HTMLElement | null): void {
  const row = chosen?.parentElement
  if (!chosen || !row) return
  const [one, all] = [chosen.getBoundingClientRect(), row.getBoundingClientRect()]
  if (one.right > all.right) row.scrollLeft += one.right - all.right + margin
  else if (one.left < all.left) row.scrollLeft -= all.left - one.left + margin
}
