/** Changing the password. */
import { useMutation } from '@tanstack/react-query'
import { BusyButton } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { messageForPeople } from '@/lib/supabase/errors'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { showToast } from '@/lib/toasts/toast'
import { changePassword } from '../api/account'
import { copy } from '../copy'
import { passwordSchema } from '../schemas'
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
    onError: (cause) => setError('password', { message: messageForPeople(cause, copy.password.failed.title) }),
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
