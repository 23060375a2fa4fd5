/** For a row that scrolls sideways: brings the chosen one of it into sight, and moves nothing else. A ref. */

/** So much of its neighbour is seen, px: there is more. */
const margin = 24

export function scrollIntoRow(chosen: HTMLElement | null): void {
  const row = chosen?.parentElement
  if (!chosen || !row) return
  const [one, all] = [chosen.getBoundingClientRect(), row.getBoundingClientRect()]
  if (one.right > all.right) row.scrollLeft += one.right - all.right + margin
  else if (one.left < all.left) row.scrollLeft -= all.left - one.left + margin
}
