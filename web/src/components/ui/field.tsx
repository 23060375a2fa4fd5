/** Form controls, and a field that labels one and associates its hint and error with it. */
import { TriangleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn'

const control =
  'w-full rounded-control border border-line-strong bg-surface px-3 text-body text-ink placeholder:text-muted focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-destructive-text aria-invalid:shadow-[0_0_0_1px_var(--destructive-text)] aria-invalid:focus-visible:border-destructive-text aria-invalid:focus-visible:outline-offset-3 disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted read-only:bg-sunken'

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input data-slot="input" className={cn(control, 'h-11 md:h-10', className)} {...props} />
}

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea data-slot="textarea" className={cn(control, 'min-h-28 resize-y py-2', className)} {...props} />
}

/** §5.11: a message below its control, in red, with an icon for readers who cannot see red. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex items-center gap-1.5 text-small font-[560] text-destructive-text">
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      {children}
    </p>
  )
}

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: string | null | undefined
  className?: string
  /** Receives the ids that associate the control with its label, hint and error. */
  children: (control: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean | undefined
  }) => ReactNode
}

export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = [hint && hintId, error && errorId].filter(Boolean).join(' ') || undefined
  return (
    <div data-slot="field" className={cn('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="text-small font-semibold">
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={hintId} className="text-small [overflow-wrap:anywhere] text-muted">
          {hint}
        </p>
      )}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}

export type TextFieldProps = Pick<FieldProps, 'label' | 'hint' | 'error'> & Omit<ComponentProps<'input'>, 'id'>

/** A text input with its label, hint and error. */
export function TextField({ label, hint, error, ...props }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Input {...control} {...props} />}
    </Field>
  )
}
