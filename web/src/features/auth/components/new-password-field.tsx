/** A password to be chosen: the field, its meter, its refusal. */
import { Field } from '@/components/ui/field'
import { PasswordInput } from './password-input'
import { StrengthMeter } from './strength-meter'

interface Props {
  label: string
  value: string
  onChange: (password: string) => void
  error: string | undefined
  /** Name and address: words that make a password easy to guess. */
  personal: readonly string[]
}

export function NewPasswordField({ label, value, onChange, error, personal }: Props) {
  return (
    <div className="grid gap-2">
      <Field label={label} error={error}>
        {(tie) => (
          <PasswordInput
            {...tie}
            name="new-password"
            autoComplete="new-password"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <StrengthMeter password={value} personal={personal} />
    </div>
  )
}
