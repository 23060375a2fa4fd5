/** Focuses the first element of a step: its text field, or its question. */
export function focusStep(container: Element): void {
  const start =
    container.querySelector<HTMLElement>('[data-autofocus]') ?? container.querySelector<HTMLElement>('legend')
  start?.focus()
}
