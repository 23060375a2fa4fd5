/** Sign-in: with a password, or with a link by mail. */
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { BusyButton } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { paths } from '@/config/paths'
import { sendSignInLink, signInWithPassword } from '../api/auth'
import { copy } from '../copy'
import { looksLikeEmail } from '../model'
import { useAttempt } from '../use-attempt'
import { AuthForm } from './auth-form'
import { EmailField } from './email-field'
import { PasswordInput } from './password-input'

/** `next` is where a sign-in link leads; with a password the page notices the session by itself. */
export function LoginForm({ next, knownEmail = '' }: { next: string; knownEmail?: string }) {
  const [email, setEmail] = useState(knownEmail)
  const [password, setPassword] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { errors, failure, busy, attempt } = useAttempt<'email' | 'password', 'password' | 'link'>()
  const wrongEmail = looksLikeEmail(email) ? undefined : copy.invalid.email

  const withPassword = async (form: HTMLFormElement) => {
    setSentTo(null)
    const wrong = { email: wrongEmail, password: password ? undefined : copy.invalid.password }
    await attempt('password', form, wrong, () => signInWithPassword(email, password))
  }
  const withLink = async (form: HTMLFormElement) => {
    setSentTo(null)
    const sent = await attempt('link', form, { email: wrongEmail }, () => sendSignInLink(email, next))
    if (sent) setSentTo(email.trim())
  }

  return (
    <AuthForm
      failure={failure}
      done={sentTo && copy.login.linkSent(sentTo)}
      busy={busy === 'password'}
      label={copy.login.submit}
      busyLabel={copy.login.submitting}
      onSubmit={withPassword}
      below={
        <BusyButton
          size="lg"
          block
          busy={busy === 'link'}
          busyLabel={copy.login.linkSubmitting}
          onClick={(event) => event.currentTarget.form && void withLink(event.currentTarget.form)}
        >
          {copy.login.link}
        </BusyButton>
      }
    >
      <EmailField error={errors.email} value={email} onValue={setEmail} />
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
    </AuthForm>
  )
}
