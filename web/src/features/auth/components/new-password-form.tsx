/** Saves the password chosen after a recovery or an invitation. */
import { type FormEvent, useState } from 'react'
import { BusyButton } from '@/components/ui/button'
import { saveNewPassword } from '../api/auth'
import { copy } from '../copy'
import { passwordStrength } from '../model'
import { focusFirstInvalid } from './focus'
import { NewPasswordField } from './new-password-field'
import { Notice } from './notice'

export function NewPasswordForm({ email, onSaved }: { email: string; onSaved: () => void }) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    setFailure(null)
    const weak = passwordStrength(password, [email]) < 2 ? copy.invalid.weak : undefined
    setError(weak)
    if (weak) return focusFirstInvalid(event.currentTarget)
    setBusy(true)
    const message = await saveNewPassword(password)
    setBusy(false)
    if (message) setFailure(message)
    else onSaved()
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {failure && <Notice tone="error">{failure}</Notice>}
      {/* Password managers want to know whose password this is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <NewPasswordField
        label={copy.fields.newPassword}
        value={password}
        onChange={setPassword}
        error={error}
        personal={[email]}
      />
      <BusyButton type="submit" variant="primary" size="lg" block busy={busy} busyLabel={copy.newPassword.submitting}>
        {copy.newPassword.submit}
      </BusyButton>
    </form>
  )
}
