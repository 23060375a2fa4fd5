/** The page of a registration: name, e-mail and password; then the request to confirm the e-mail address. */
import { type ReactNode, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { TextField } from '@/components/ui/field'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { register as registerAccount } from '../api/auth'
import { copy } from '../copy'
import { registerSchema } from '../schemas'
import { AuthForm } from './auth-form'
import { AuthFrame } from './auth-frame'
import { CheckMail } from './check-mail'
import { EmailField } from './email-field'
import { NewPasswordField } from './new-password-field'

interface Props {
  title: string
  lead: string
  /** Below the form. */
  children?: ReactNode
  next: string
  /** Read-only: an invitation belongs to its address. */
  invitedEmail?: string
  /** The token of the invitation's link. */
  invitation?: string
}

export function RegisterForm({ title, lead, children, next, invitedEmail, invitation = '' }: Props) {
  const { register, handleSubmit, setError, control, formState } = useZodForm(registerSchema, {
    defaultValues: { name: '', email: invitedEmail ?? '', password: '' },
  })
  const { errors, isSubmitting } = formState
  const [name, email, password] = useWatch({ control, name: ['name', 'email', 'password'] })
  const [confirming, setConfirming] = useState<string | null>(null)
  const submit = handleSubmit(async (values) => {
    const answer = await registerAccount(values.name, values.email, values.password, next, invitation)
    if (answer.kind === 'confirm') setConfirming(values.email)
    if (answer.kind === 'failed') setError('root', { message: answer.message })
  })

  if (confirming !== null) return <CheckMail email={confirming} next={next} />
  return (
    <AuthFrame title={title} lead={lead}>
      <AuthForm
        failure={errors.root?.message}
        busy={isSubmitting}
        label={copy.register.submit}
        busyLabel={copy.register.submitting}
        onSubmit={(event) => void submit(event)}
      >
        <TextField
          label={copy.fields.name}
          error={errors.name?.message}
          autoComplete="name"
          maxLength={120}
          {...register('name')}
        />
        <EmailField
          error={errors.email?.message}
          maxLength={320}
          readOnly={invitedEmail !== undefined}
          {...register('email')}
        />
        <NewPasswordField
          label={copy.fields.password}
          error={errors.password?.message}
          password={password}
          personal={[name, email]}
          {...register('password')}
        />
      </AuthForm>
      {children}
    </AuthFrame>
  )
}
