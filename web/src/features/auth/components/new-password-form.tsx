/** Saves the password chosen after a recovery or an invitation. */
import { useState } from 'react'
import { saveNewPassword } from '../api/auth'
import { copy } from '../copy'
import { passwordStrength } from '../model'
import { useAttempt } from '../use-attempt'
import { AuthForm } from './auth-form'
import { NewPasswordField } from './new-password-field'

export function NewPasswordForm({ email, onSaved }: { email: string; onSaved: () => void }) {
  const [password, setPassword] = useState('')
  const { errors, failure, busy, attempt } = useAttempt<'password'>()

  const submit = async (form: HTMLFormElement) => {
    const wrong = { password: passwordStrength(password, [email]) < 2 ? copy.invalid.weak : undefined }
    if (await attempt('submit', form, wrong, () => saveNewPassword(password))) onSaved()
  }

  return (
    <AuthForm
      failure={failure}
      busy={busy !== null}
      label={copy.newPassword.submit}
      busyLabel={copy.newPassword.submitting}
      onSubmit={submit}
    >
      {/* Password managers want to know whose password this is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <NewPasswordField
        label={copy.fields.newPassword}
        value={password}
        onChange={setPassword}
        error={errors.password}
        personal={[email]}
      />
    </AuthForm>
  )
}
