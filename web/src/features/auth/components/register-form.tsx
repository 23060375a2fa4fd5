/** Registration: name, e-mail, a password worth having; then the word to look into the inbox. */
import { useState } from 'react'
import { TextField } from '@/components/ui/field'
import { register } from '../api/auth'
import { copy } from '../copy'
import { looksLikeEmail, passwordStrength } from '../model'
import { useAttempt } from '../use-attempt'
import { AuthForm } from './auth-form'
import { CheckMail } from './check-mail'
import { EmailField } from './email-field'
import { NewPasswordField } from './new-password-field'

/** `invitedEmail` is fixed: an invitation belongs to its address. */
export function RegisterForm({ next, invitedEmail }: { next: string; invitedEmail?: string }) {
  const [name, setName] = useState('')
  const [typedEmail, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [confirming, setConfirming] = useState(false)
  const { errors, failure, busy, attempt } = useAttempt<'name' | 'email' | 'password'>()
  const email = invitedEmail ?? typedEmail
  const personal = [name, email]

  const submit = async (form: HTMLFormElement) => {
    const wrong = {
      name: name.trim() ? undefined : copy.invalid.name,
      email: looksLikeEmail(email) ? undefined : copy.invalid.email,
      password: passwordStrength(password, personal) < 2 ? copy.invalid.weak : undefined,
    }
    await attempt('submit', form, wrong, async () => {
      const answer = await register(name, email, password, next)
      if (answer.kind === 'confirm') setConfirming(true)
      return answer.kind === 'failed' ? answer.message : null
    })
  }

  if (confirming) return <CheckMail email={email.trim()} next={next} />
  return (
    <AuthForm
      failure={failure}
      busy={busy !== null}
      label={copy.register.submit}
      busyLabel={copy.register.submitting}
      onSubmit={submit}
    >
      <TextField
        label={copy.fields.name}
        error={errors.name}
        name="name"
        autoComplete="name"
        maxLength={120}
        value={name}
        onValue={setName}
      />
      <EmailField
        error={errors.email}
        maxLength={320}
        readOnly={invitedEmail !== undefined}
        value={email}
        onValue={setEmail}
      />
      <NewPasswordField
        label={copy.fields.password}
        value={password}
        onChange={setPassword}
        error={errors.password}
        personal={personal}
      />
    </AuthForm>
  )
}
