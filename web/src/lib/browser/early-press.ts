/** A click on the prerendered page before hydration: /boot.js notes the button, which is clicked again here. */
export function answerEarlyPress(): void {
  const { dataset } = document.documentElement
  const name = dataset.early
  dataset.started = 'true' // from now on buttons answer themselves
  delete dataset.early
  if (name) document.querySelector<HTMLElement>(`[data-early="${CSS.escape(name)}"]`)?.click()
}
