/** After a form was refused, the first control that is wrong has the focus: on a phone it may be far above. */
import { useEffect, useRef } from 'react'

/** `errors` by control; give the form the ref. */
export function useFirstError(errors: object) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return form
}
