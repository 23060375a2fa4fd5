/** Changing the e-mail address, which both the present and the new one confirm. */
import { useMutation } from '@tanstack/react-query'
import { useAuth } from '@/api/session/auth-context'
import { BusyButton } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { useNow } from '@/lib/browser/use-now'
import { messageForPeople } from '@/lib/supabase/errors'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { changeEmail } from '../api/account'
import { copy } from '../copy'
import { changeInProgress } from '../email-change'
import { emailSchema } from '../schemas'
import { EmailCodes } from './email-codes'
import { Section } from './section'

export function EmailForm() {
  const { user } = useAuth()
  const now = useNow()
  const { register, handleSubmit, reset, setError, formState } = useZodForm(emailSchema, {
    defaultValues: { email: '' },
  })
  const save = useMutation({
    mutationFn: changeEmail,
    onSuccess: () => reset(),
    onError: (cause) => setError('email', { message: messageForPeople(cause, copy.email.failed.title) }),
  })
  const submit = handleSubmit(({ email }) => {
    if (!save.isPending) save.mutate(email)
  })
  const inProgress = user && changeInProgress(user, now.getTime())
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
        <BusyButton type="submit" className="justify-self-start" busy={save.isPending} busyLabel={copy.saving}>
          {copy.email.submit}
        </BusyButton>
      </form>
      {inProgress && (
        <EmailCodes key={`${inProgress.to} ${inProgress.since}`} from={inProgress.from} to={inProgress.to} />
      )}
    </Section>
  )
}
