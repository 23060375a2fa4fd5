/** After a refused form: onto the first control that is wrong, once it is marked. */
export function focusFirstInvalid(form: HTMLFormElement): void {
  window.requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
