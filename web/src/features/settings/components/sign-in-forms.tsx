/** Changing the password and the e-mail address. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useAuth } from '@/api/session/auth-context'
import { BusyButton } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { messageOf } from '@/lib/browser/log'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { showToast } from '@/lib/toasts/toast'
import { changeEmail, changePassword } from '../api/account'
import { copy } from '../copy'
import { emailSchema, passwordSchema } from '../schemas'
import { Section } from './section'

export function PasswordForm() {
  const { register, handleSubmit, reset, setError, formState } = useZodForm(passwordSchema, {
    defaultValues: { password: '' },
  })
  const save = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      reset()
      showToast(copy.password.saved)
    },
    onError: (cause) => setError('password', { message: messageOf(cause, copy.password.failed.title) }),
  })
  const submit = handleSubmit(({ password }) => {
    if (!save.isPending) save.mutate(password)
  })
  return (
    <Section title={copy.password.title}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <TextField
          label={copy.password.label}
          hint={copy.password.hint}
          error={formState.errors.password?.message}
          type="password"
          autoComplete="new-password"
          {...register('password')}
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
  const { register, handleSubmit, reset, setError, formState } = useZodForm(emailSchema, {
    defaultValues: { email: '' },
  })
  const [sentTo, setSentTo] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: changeEmail,
    onSuccess: (_done, address) => {
      setSentTo(address)
      reset()
    },
    onError: (cause) => setError('email', { message: messageOf(cause, copy.email.failed.title) }),
  })
  const submit = handleSubmit(
    ({ email }) => {
      if (save.isPending) return
      setSentTo(null)
      save.mutate(email)
    },
    () => setSentTo(null),
  )
  return (
    <Section title={copy.email.title} lead={copy.email.current(user?.email ?? '')}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <TextField
          label={copy.email.label}
          error={formState.errors.email?.message}
          type="email"
          autoComplete="email"
          {...register('email')}
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
