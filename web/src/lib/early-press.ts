/** A press on the prerendered page, before the application stood: /boot.js notes it, the same button answers it later. */

export const isEarlyPress = (name: string) =>
  typeof document !== 'undefined' && document.documentElement.dataset.early === name

export function forgetEarlyPress(): void {
  delete document.documentElement.dataset.early
}

/** What stands on the page is the application: from now on buttons answer themselves. */
export function applicationStarted(): void {
  document.documentElement.dataset.started = 'true'
}
