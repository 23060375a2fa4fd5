/** The six-digit code of an e-mail: for those who read their mail in another browser than this one. */
import { CodeField } from '@/components/ui/code-field'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { type CodeKind, enterCode } from '../api/auth'
import { copy } from '../copy'
import { codeSchema } from '../schemas'
import { AuthForm } from './auth-form'

/** `onEntered`: after the session has begun; a page that reacts to the session itself needs none. */
export function CodeForm({ email, kind, onEntered }: { email: string; kind: CodeKind; onEntered?: () => void }) {
  const { register, handleSubmit, setError, formState } = useZodForm(codeSchema, { defaultValues: { code: '' } })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ code }) => {
    const failure = await enterCode(email, code, kind)
    if (failure) setError('code', { message: failure })
    else onEntered?.()
  })
  return (
    <AuthForm
      failure={undefined}
      busy={isSubmitting}
      label={copy.code.submit}
      busyLabel={copy.code.submitting}
      onSubmit={(event) => void submit(event)}
    >
      <CodeField label={copy.code.label} error={errors.code?.message} {...register('code')} />
    </AuthForm>
  )
}
