/** Asks for the link that lets one choose a new password. The answer never tells whether an account exists. */
import { useState } from 'react'
import { sendRecovery } from '../api/auth'
import { copy } from '../copy'
import { looksLikeEmail } from '../model'
import { useAttempt } from '../use-attempt'
import { AuthForm } from './auth-form'
import { EmailField } from './email-field'

export function RecoveryForm({ knownEmail }: { knownEmail: string }) {
  const [email, setEmail] = useState(knownEmail)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { errors, failure, busy, attempt } = useAttempt<'email'>()

  const submit = async (form: HTMLFormElement) => {
    setSentTo(null)
    const wrong = { email: looksLikeEmail(email) ? undefined : copy.invalid.email }
    if (await attempt('submit', form, wrong, () => sendRecovery(email))) setSentTo(email.trim())
  }

  return (
    <AuthForm
      failure={failure}
      done={sentTo && copy.forgot.sent(sentTo)}
      busy={busy !== null}
      label={copy.forgot.submit}
      busyLabel={copy.forgot.submitting}
      onSubmit={submit}
    >
      <EmailField error={errors.email} value={email} onValue={setEmail} />
    </AuthForm>
  )
}
