/** The layout of the authentication forms: the result of the last attempt, the fields, the submit button. */
import type { FormEventHandler, ReactNode } from 'react'
import { BusyButton } from '@/components/ui/button'
import { FormMessage } from './form-message'

interface Props {
  /** The error of the last attempt, as text. */
  failure: string | undefined
  busy: boolean
  label: string
  busyLabel: string
  onSubmit: FormEventHandler<HTMLFormElement>
  children: ReactNode
  /** Alternatives, below the button. */
  below?: ReactNode
}

export function AuthForm({ failure, busy, label, busyLabel, onSubmit, children, below }: Props) {
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-5">
      {failure && <FormMessage tone="error">{failure}</FormMessage>}
      {children}
      <BusyButton type="submit" variant="primary" size="lg" block busy={busy} busyLabel={busyLabel}>
        {label}
      </BusyButton>
      {below}
    </form>
  )
}
