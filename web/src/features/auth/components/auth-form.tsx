/** The frame of the authentication forms: what became of the last attempt, the fields, the button. */
import type { FormEventHandler, ReactNode } from 'react'
import { BusyButton } from '@/components/ui/button'
import { Notice } from './notice'

interface Props {
  /** In words, what went wrong with the last attempt. */
  failure: string | undefined
  /** In words, what happens next. */
  done?: string | null
  busy: boolean
  label: string
  busyLabel: string
  onSubmit: FormEventHandler<HTMLFormElement>
  children: ReactNode
  /** What else can be done, below the button. */
  below?: ReactNode
}

export function AuthForm({ failure, done, busy, label, busyLabel, onSubmit, children, below }: Props) {
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-5">
      {failure && <Notice tone="error">{failure}</Notice>}
      {done && <Notice tone="done">{done}</Notice>}
      {children}
      <BusyButton type="submit" variant="primary" size="lg" block busy={busy} busyLabel={busyLabel}>
        {label}
      </BusyButton>
      {below}
    </form>
  )
}
