/** Requests a password recovery link. The response never reveals whether an account exists. */
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@/config/paths'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { sendRecovery } from '../api/auth'
import { copy } from '../copy'
import { recoverySchema } from '../schemas'
import { AuthForm } from './auth-form'
import { CodeSent } from './code-sent'
import { EmailField } from './email-field'

export function RecoveryForm({ knownEmail }: { knownEmail: string }) {
  const { register, handleSubmit, setError, formState } = useZodForm(recoverySchema, {
    defaultValues: { email: knownEmail },
  })
  const navigate = useNavigate()
  const { errors, isSubmitting } = formState
  const [sentTo, setSentTo] = useState<string | null>(null)
  const submit = handleSubmit(async ({ email }) => {
    const failure = await sendRecovery(email)
    if (failure) setError('root', { message: failure })
    else setSentTo(email)
  })

  if (sentTo !== null) {
    return (
      <CodeSent
        sent={copy.forgot.sent(sentTo)}
        email={sentTo}
        kind="recovery"
        onEntered={() => void navigate(paths.newPassword, { replace: true })}
        onAnother={() => setSentTo(null)}
      />
    )
  }
  return (
    <AuthForm
      failure={errors.root?.message}
      busy={isSubmitting}
      label={copy.forgot.submit}
      busyLabel={copy.forgot.submitting}
      onSubmit={(event) => void submit(event)}
    >
      <EmailField error={errors.email?.message} {...register('email')} />
    </AuthForm>
  )
}
