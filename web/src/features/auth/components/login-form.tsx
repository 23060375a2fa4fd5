/** Sign-in: with a password, or with a link by mail. */
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Link } from 'react-router-dom'
import { BusyButton } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { paths } from '@/config/paths'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { sendSignInLink, signInWithPasskey, signInWithPassword } from '../api/auth'
import { copy } from '../copy'
import { loginSchema } from '../schemas'
import { AuthForm } from './auth-form'
import { CodeSent } from './code-sent'
import { EmailField } from './email-field'
import { PasswordInput } from './password-input'

/** `next` is the target of a sign-in link; after a password sign-in the page reacts to the session itself. */
export function LoginForm({ next, knownEmail = '' }: { next: string; knownEmail?: string }) {
  const { register, handleSubmit, trigger, getValues, clearErrors, setError, control, formState } = useZodForm(
    loginSchema,
    { defaultValues: { email: knownEmail, password: '' } },
  )
  const { errors, isSubmitting } = formState
  const email = useWatch({ control, name: 'email' })
  const [sendingLink, setSendingLink] = useState(false)
  const [usingPasskey, setUsingPasskey] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)

  const withPassword = handleSubmit(async (values) => {
    if (sendingLink) return
    const failure = await signInWithPassword(values.email, values.password)
    if (failure) setError('root', { message: failure })
  })
  const withPasskey = async () => {
    if (isSubmitting || sendingLink || usingPasskey) return
    clearErrors()
    setUsingPasskey(true)
    const failure = await signInWithPasskey()
    setUsingPasskey(false)
    if (failure) setError('root', { message: failure })
  }
  const withLink = async () => {
    if (isSubmitting) return
    clearErrors()
    if (!(await trigger('email', { shouldFocus: true }))) return // the link needs no password
    const address = getValues('email').trim()
    setSendingLink(true)
    const failure = await sendSignInLink(address, next)
    setSendingLink(false)
    if (failure) setError('root', { message: failure })
    else setSentTo(address)
  }

  if (sentTo !== null) {
    return (
      <CodeSent sent={copy.login.linkSent(sentTo)} email={sentTo} kind="magiclink" onAnother={() => setSentTo(null)} />
    )
  }
  return (
    <AuthForm
      failure={errors.root?.message}
      busy={isSubmitting}
      label={copy.login.submit}
      busyLabel={copy.login.submitting}
      onSubmit={(event) => void withPassword(event)}
      below={
        <div className="grid gap-3">
          <BusyButton
            size="lg"
            block
            busy={usingPasskey}
            busyLabel={copy.login.passkeySubmitting}
            onClick={() => void withPasskey()}
          >
            {copy.login.passkey}
          </BusyButton>
          <BusyButton
            size="lg"
            block
            busy={sendingLink}
            busyLabel={copy.login.linkSubmitting}
            onClick={() => void withLink()}
          >
            {copy.login.link}
          </BusyButton>
        </div>
      }
    >
      <EmailField error={errors.email?.message} {...register('email')} />
      <Field label={copy.fields.password} error={errors.password?.message}>
        {(control) => <PasswordInput {...control} autoComplete="current-password" {...register('password')} />}
      </Field>
      <p className="-mt-2 text-small">
        <Link to={paths.forgotPassword} state={{ email, from: next }} className="inline-block py-1 link">
          {copy.login.forgot}
        </Link>
      </p>
    </AuthForm>
  )
}
