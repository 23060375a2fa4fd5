/** The frame of the forms before the door: what became of the last attempt, the fields, the button. */
import type { FormEvent, ReactNode } from 'react'
import { BusyButton } from '@/components/ui/button'
import { Notice } from './notice'

interface Props {
  /** In words, what went wrong with the last attempt. */
  failure: string | null
  /** In words, what happens next. */
  done?: string | null
  busy: boolean
  label: string
  busyLabel: string
  onSubmit: (form: HTMLFormElement) => Promise<void>
  children: ReactNode
  /** What else can be done, below the button. */
  below?: ReactNode
}

export function AuthForm({ failure, done, busy, label, busyLabel, onSubmit, children, below }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void onSubmit(event.currentTarget)
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
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
