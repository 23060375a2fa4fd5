/** A press on the prerendered page before the application stood: /boot.js notes the button, which is pressed again here. */
export function answerEarlyPress(): void {
  const { dataset } = document.documentElement
  const name = dataset.early
  dataset.started = 'true' // from now on buttons answer themselves
  delete dataset.early
  if (name) document.querySelector<HTMLElement>(`[data-early="${CSS.escape(name)}"]`)?.click()
}
