/** Replays a click on the prerendered page: /boot.js stores the button clicked before hydration. */
export function answerEarlyPress(): void {
  const { dataset } = document.documentElement
  const name = dataset.early
  dataset.started = 'true' // from now on buttons have their own handlers
  delete dataset.early
  if (name) document.querySelector<HTMLElement>(`[data-early="${CSS.escape(name)}"]`)?.click()
}
