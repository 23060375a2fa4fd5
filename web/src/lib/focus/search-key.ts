/** The key that focuses a page's search field. Pure. */

/** Whether a key press is a bare `/` that is meant for the page: not typed into a field, not over a dialog. */
export function isSearchKey(event: KeyboardEvent): boolean {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return false
  const { target } = event
  return !(
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable=true], [role=dialog]')
  )
}
