/** Where a step begins for the keyboard: its text field, or the question above its choices. */
export function focusStep(container: Element): void {
  const start =
    container.querySelector<HTMLElement>('[data-autofocus]') ?? container.querySelector<HTMLElement>('legend')
  start?.focus()
}
