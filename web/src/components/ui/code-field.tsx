/** The field of a one-time code, wide enough for one with spaces in it. */
import { cn } from './cn'
import { TextField, type TextFieldProps } from './field'

export function CodeField({ className, ...props }: TextFieldProps) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      className={cn('font-mono text-[1.25rem] tracking-[0.2em]', className)}
      {...props}
    />
  )
}
