/** One attempt of a form at a time: what is wrong with it, whether it is on its way, and what became of it. */
import { useState } from 'react'
import { focusFirstInvalid } from '@/lib/focus/focus-first-invalid'

export type Wrong<Name extends string> = Partial<Record<Name, string | undefined>>

/** `Name`: the fields that can be wrong. `Deed`: what the form can do, where it can do more than one thing. */
export function useAttempt<Name extends string, Deed extends string = 'submit'>() {
  const [errors, setErrors] = useState<Wrong<Name>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState<Deed | null>(null)

  /** Sends unless something is wrong or under way. `send` answers with what failed in words, or null: then it is true. */
  const attempt = async (
    deed: Deed,
    form: HTMLFormElement,
    wrong: Wrong<Name>,
    send: () => Promise<string | null>,
  ): Promise<boolean> => {
    if (busy) return false
    setErrors(wrong)
    setFailure(null)
    if (Object.values(wrong).some(Boolean)) {
      focusFirstInvalid(form)
      return false
    }
    setBusy(deed)
    const message = await send()
    setBusy(null)
    setFailure(message)
    return message === null
  }

  return { errors, failure, busy, attempt }
}
