/** A new password: the field, its strength meter, its error. */
import type { ComponentProps } from 'react'
import { Field } from '@/components/ui/field'
import { PasswordInput } from './password-input'
import { StrengthMeter } from './strength-meter'

type Props = Omit<ComponentProps<typeof PasswordInput>, 'value'> & {
  label: string
  error: string | undefined
  /** The current value. */
  password: string
  /** Name and address: personal data that makes a password easy to guess. */
  personal: readonly string[]
}

export function NewPasswordField({ label, error, password, personal, ...props }: Props) {
  return (
    <div className="grid gap-2">
      <Field label={label} error={error}>
        {(control) => <PasswordInput {...control} autoComplete="new-password" {...props} />}
      </Field>
      <StrengthMeter password={password} personal={personal} />
    </div>
  )
}
