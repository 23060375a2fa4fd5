/** Sign-in with a password, or with a link by mail. */
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { BusyButton } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { paths } from '@/config/paths'
import { sendSignInLink, signInWithPassword } from '../api/auth'
import { copy } from '../copy'
import { looksLikeEmail } from '../model'
import { focusFirstInvalid } from './focus'
import { Notice } from './notice'
import { PasswordInput } from './password-input'

interface Errors {
  email?: string
  password?: string
}

/** `next` is where a sign-in link leads; with a password the page notices the session by itself. */
export function LoginForm({ next, knownEmail = '' }: { next: string; knownEmail?: string }) {
  const [email, setEmail] = useState(knownEmail)
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [busy, setBusy] = useState<'password' | 'link' | null>(null)

  const attempt = async (kind: 'password' | 'link', form: HTMLFormElement) => {
    if (busy) return
    const found: Errors = {}
    if (!looksLikeEmail(email)) found.email = copy.invalid.email
    if (kind === 'password' && !password) found.password = copy.invalid.password
    setErrors(found)
    setFailure(null)
    setSentTo(null)
    if (found.email || found.password) return focusFirstInvalid(form)
    setBusy(kind)
    const message = kind === 'password' ? await signInWithPassword(email, password) : await sendSignInLink(email, next)
    setBusy(null)
    setFailure(message)
    if (!message && kind === 'link') setSentTo(email.trim())
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void attempt('password', event.currentTarget)
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {failure && <Notice tone="error">{failure}</Notice>}
      {sentTo && <Notice tone="done">{copy.login.linkSent(sentTo)}</Notice>}
      <Field label={copy.fields.email} error={errors.email}>
        {(tie) => (
          <Input
            {...tie}
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Field label={copy.fields.password} error={errors.password}>
        {(tie) => (
          <PasswordInput
            {...tie}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <p className="-mt-2 text-small">
        <Link to={paths.forgotPassword} state={{ email }} className="inline-block py-1 link">
          {copy.login.forgot}
        </Link>
      </p>
      <BusyButton
        type="submit"
        variant="primary"
        size="lg"
        block
        busy={busy === 'password'}
        busyLabel={copy.login.submitting}
      >
        {copy.login.submit}
      </BusyButton>
      <BusyButton
        size="lg"
        block
        busy={busy === 'link'}
        busyLabel={copy.login.linkSubmitting}
        onClick={(event) => event.currentTarget.form && void attempt('link', event.currentTarget.form)}
      >
        {copy.login.link}
      </BusyButton>
    </form>
  )
}
