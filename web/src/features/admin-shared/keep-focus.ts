/** Whoever works by keyboard goes on from the page when what they pressed is gone: a row, a bar of acts, a form. */
export function keepFocus(): void {
  window.requestAnimationFrame(() => {
    const nowhere = document.activeElement === null || document.activeElement === document.body
    if (nowhere) document.getElementById('main')?.focus({ preventScroll: true })
  })
}
