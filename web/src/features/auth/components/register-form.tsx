/** Registration: name, e-mail, a password worth having; then the word to look into the inbox. */
import { type FormEvent, useState } from 'react'
import { BusyButton } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { register } from '../api/auth'
import { copy } from '../copy'
import { looksLikeEmail, passwordStrength } from '../model'
import { CheckMail } from './check-mail'
import { focusFirstInvalid } from './focus'
import { NewPasswordField } from './new-password-field'
import { Notice } from './notice'

interface Errors {
  name?: string
  email?: string
  password?: string
}

/** `invitedEmail` is fixed: an invitation belongs to its address. */
export function RegisterForm({ next, invitedEmail }: { next: string; invitedEmail?: string }) {
  const [name, setName] = useState('')
  const [typedEmail, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const email = invitedEmail ?? typedEmail
  const personal = [name, email]

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const found: Errors = {}
    if (!name.trim()) found.name = copy.invalid.name
    if (!looksLikeEmail(email)) found.email = copy.invalid.email
    if (passwordStrength(password, personal) < 2) found.password = copy.invalid.weak
    setErrors(found)
    setFailure(null)
    if (Object.keys(found).length > 0) return focusFirstInvalid(event.currentTarget)
    setBusy(true)
    const answer = await register(name, email, password, next)
    setBusy(false)
    if (answer.kind === 'failed') setFailure(answer.message)
    if (answer.kind === 'confirm') setConfirming(true)
  }

  if (confirming) return <CheckMail email={email.trim()} next={next} />
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {failure && <Notice tone="error">{failure}</Notice>}
      <Field label={copy.fields.name} error={errors.name}>
        {(tie) => (
          <Input
            {...tie}
            name="name"
            autoComplete="name"
            maxLength={120}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label={copy.fields.email} error={errors.email}>
        {(tie) => (
          <Input
            {...tie}
            type="email"
            name="email"
            autoComplete="username"
            maxLength={320}
            readOnly={invitedEmail !== undefined}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <NewPasswordField
        label={copy.fields.password}
        value={password}
        onChange={setPassword}
        error={errors.password}
        personal={personal}
      />
      <BusyButton type="submit" variant="primary" size="lg" block busy={busy} busyLabel={copy.register.submitting}>
        {copy.register.submit}
      </BusyButton>
    </form>
  )
}
