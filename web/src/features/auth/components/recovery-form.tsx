/** Asks for the link that lets one choose a new password. The answer never tells whether an account exists. */
import { type FormEvent, useState } from 'react'
import { BusyButton } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { sendRecovery } from '../api/auth'
import { copy } from '../copy'
import { looksLikeEmail } from '../model'
import { focusFirstInvalid } from './focus'
import { Notice } from './notice'

export function RecoveryForm({ knownEmail }: { knownEmail: string }) {
  const [email, setEmail] = useState(knownEmail)
  const [error, setError] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    setFailure(null)
    setSentTo(null)
    const wrong = looksLikeEmail(email) ? null : copy.invalid.email
    setError(wrong)
    if (wrong) return focusFirstInvalid(event.currentTarget)
    setBusy(true)
    const message = await sendRecovery(email)
    setBusy(false)
    setFailure(message)
    if (!message) setSentTo(email.trim())
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {failure && <Notice tone="error">{failure}</Notice>}
      {sentTo && <Notice tone="done">{copy.forgot.sent(sentTo)}</Notice>}
      <Field label={copy.fields.email} error={error}>
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
      <BusyButton type="submit" variant="primary" size="lg" block busy={busy} busyLabel={copy.forgot.submitting}>
        {copy.forgot.submit}
      </BusyButton>
    </form>
  )
}
