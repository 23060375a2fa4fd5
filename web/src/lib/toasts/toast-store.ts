/** The ids of the visible toasts: five at most, a dismissed one removed after 5 s (§9.29). */
import { limits } from '@/config/limits'

type Id = string | number

export class ToastStore {
  #kept: Id[] = []

  get kept(): readonly Id[] {
    return this.#kept
  }

  /** Adds a toast as the newest; returns the ids to remove for it. */
  add(id: Id): Id[] {
    this.#kept = [...this.#kept.filter((other) => other !== id), id]
    return this.#kept.splice(0, this.#kept.length - limits.toastsKept)
  }

  dismissed(id: Id): void {
    setTimeout(() => {
      this.#kept = this.#kept.filter((other) => other !== id)
    }, limits.toastForgottenMs)
  }
}
