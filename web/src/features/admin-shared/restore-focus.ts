/** Moves the focus to the main content when the focused element was removed. */
export function restoreFocus(): void {
  window.requestAnimationFrame(() => {
    const nowhere = document.activeElement === null || document.activeElement === document.body
    if (nowhere) document.getElementById('main')?.focus({ preventScroll: true })
  })
}
