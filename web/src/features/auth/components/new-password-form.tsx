/** Saves the password chosen after a recovery or an invitation. */
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { saveNewPassword } from '../api/auth'
import { copy } from '../copy'
import { newPasswordSchema } from '../schemas'
import { AuthForm } from './auth-form'
import { NewPasswordField } from './new-password-field'

export function NewPasswordForm({ email, onSaved }: { email: string; onSaved: () => void }) {
  const personal = useMemo(() => [email], [email])
  const schema = useMemo(() => newPasswordSchema(personal), [personal])
  const { register, handleSubmit, setError, control, formState } = useZodForm(schema, {
    defaultValues: { password: '' },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ password }) => {
    const failure = await saveNewPassword(password)
    if (failure) setError('root', { message: failure })
    else onSaved()
  })

  return (
    <AuthForm
      failure={errors.root?.message}
      busy={isSubmitting}
      label={copy.newPassword.submit}
      busyLabel={copy.newPassword.submitting}
      onSubmit={(event) => void submit(event)}
    >
      {/* Tells password managers which account the password belongs to. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <NewPasswordField
        label={copy.fields.newPassword}
        error={errors.password?.message}
        password={useWatch({ control, name: 'password' })}
        personal={personal}
        {...register('password')}
      />
    </AuthForm>
  )
}
