/** Who walks the prerendered page by keyboard keeps their place when the application draws the same page over it. */
const stops = 'a[href], button'

let place: { index: number; words: string | null } | null = null

/** Called just before the prerendered page goes. */
export function noteFocus(root: HTMLElement): void {
  const index = [...root.querySelectorAll(stops)].findIndex((stop) => stop === document.activeElement)
  place = index < 0 ? null : { index, words: document.activeElement?.textContent ?? null }
}

/** Called when the application stands; the same stop, or none when another one is in its place. */
export function handOverFocus(): void {
  const stop = place && document.querySelectorAll<HTMLElement>(`#root :is(${stops})`)[place.index]
  if (stop && stop.textContent === place?.words) stop.focus({ preventScroll: true })
  place = null
}
