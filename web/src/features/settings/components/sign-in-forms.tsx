/** What one signs in with: password and address. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useAuth } from '@/api/session/auth-context'
import { BusyButton } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { focusFirstInvalid } from '@/lib/focus/focus-first-invalid'
import { messageOf } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { changeEmail, changePassword } from '../api/account'
import { copy } from '../copy'
import { Section } from './section'

const minPasswordLength = 8

export function PasswordForm() {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      setPassword('')
      showToast(copy.password.saved)
    },
    onError: (cause) => setError(messageOf(cause, copy.password.failed.title)),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const short = Array.from(password).length < minPasswordLength
    setError(short ? copy.password.tooShort : null)
    if (short) focusFirstInvalid(event.currentTarget)
    else save.mutate(password)
  }
  return (
    <Section title={copy.password.title}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <TextField
          label={copy.password.label}
          hint={copy.password.hint}
          error={error}
          type="password"
          autoComplete="new-password"
          value={password}
          onValue={setPassword}
        />
        <BusyButton type="submit" className="justify-self-start" busy={save.isPending} busyLabel={copy.saving}>
          {copy.password.submit}
        </BusyButton>
      </form>
    </Section>
  )
}

export function EmailForm() {
  const { user } = useAuth()
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: changeEmail,
    onSuccess: (_done, address) => {
      setSentTo(address)
      setEmail('')
    },
    onError: (cause) => setError(messageOf(cause, copy.email.failed.title)),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const valid = /^[^\s@]+@[^\s@]+$/.test(email.trim())
    setError(valid ? null : copy.email.invalid)
    setSentTo(null)
    if (valid) save.mutate(email.trim())
    else focusFirstInvalid(event.currentTarget)
  }
  return (
    <Section title={copy.email.title} lead={copy.email.current(user?.email ?? '')}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <TextField
          label={copy.email.label}
          error={error}
          type="email"
          autoComplete="email"
          value={email}
          onValue={setEmail}
        />
        <p role="status" className="text-small text-success-text empty:hidden">
          {sentTo && copy.email.sent(sentTo)}
        </p>
        <BusyButton type="submit" className="justify-self-start" busy={save.isPending} busyLabel={copy.saving}>
          {copy.email.submit}
        </BusyButton>
      </form>
    </Section>
  )
}
