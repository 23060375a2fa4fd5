/** Requests a password recovery link. The response never reveals whether an account exists. */
import { useState } from 'react'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { sendRecovery } from '../api/auth'
import { copy } from '../copy'
import { recoverySchema } from '../schemas'
import { AuthForm } from './auth-form'
import { EmailField } from './email-field'

export function RecoveryForm({ knownEmail }: { knownEmail: string }) {
  const { register, handleSubmit, setError, formState } = useZodForm(recoverySchema, {
    defaultValues: { email: knownEmail },
  })
  const { errors, isSubmitting } = formState
  const [sentTo, setSentTo] = useState<string | null>(null)
  const submit = handleSubmit(async ({ email }) => {
    setSentTo(null)
    const failure = await sendRecovery(email)
    if (failure) setError('root', { message: failure })
    else setSentTo(email)
  })

  return (
    <AuthForm
      failure={errors.root?.message}
      done={sentTo && copy.forgot.sent(sentTo)}
      busy={isSubmitting}
      label={copy.forgot.submit}
      busyLabel={copy.forgot.submitting}
      onSubmit={(event) => void submit(event)}
    >
      <EmailField error={errors.email?.message} {...register('email')} />
    </AuthForm>
  )
}
