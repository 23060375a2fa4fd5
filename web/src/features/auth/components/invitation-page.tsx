/** /invitation : registers an invited visitor with the invited address; shows everyone else their waitlist status. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { askForInvitation, invitationQuery } from '../api/invitation'
import { copy } from '../copy'
import { parseInvitation } from '../invitation'
import { invitationSchema } from '../schemas'
import { AuthFrame } from './auth-frame'
import { AuthForm } from './auth-form'
import { EmailField } from './email-field'
import { FormMessage } from './form-message'
import { RegisterForm } from './register-form'

const words = copy.invitation

function AskAddress({ onAsk }: { onAsk: (email: string) => void }) {
  const { register, handleSubmit, formState } = useZodForm(invitationSchema, { defaultValues: { email: '' } })
  const submit = handleSubmit(({ email }) => onAsk(email))
  return (
    <AuthForm
      failure={undefined}
      busy={false}
      label={words.check}
      busyLabel={words.checking}
      onSubmit={(event) => void submit(event)}
    >
      <EmailField error={formState.errors.email?.message} autoComplete="email" {...register('email')} />
    </AuthForm>
  )
}

/** §2.6: expired; one click requests another one. */
function AskAgain({ email }: { email: string }) {
  const { mutate, status } = useMutation({ mutationFn: () => askForInvitation(email) })
  if (status === 'success') return <FormMessage tone="done">{words.ranOut.asked}</FormMessage>
  return (
    <>
      {status === 'error' && <FormMessage tone="error">{words.ranOut.failed}</FormMessage>}
      <BusyButton
        variant="primary"
        size="lg"
        block
        busy={status === 'pending'}
        busyLabel={words.ranOut.asking}
        onClick={() => mutate()}
      >
        {words.ranOut.ask}
      </BusyButton>
    </>
  )
}

export function InvitationPage() {
  const [link] = useState(() => parseInvitation(window.location.href))
  const [email, setEmail] = useState(link.email)
  const standing = useQuery(invitationQuery(email))

  if (email === '') {
    return link.expired ? (
      <AuthFrame title={words.expired.title} lead={words.expired.text}>
        <AskAddress onAsk={setEmail} />
      </AuthFrame>
    ) : (
      <AuthFrame title={words.title} lead={words.ask}>
        <AskAddress onAsk={setEmail} />
      </AuthFrame>
    )
  }
  const another = (
    <Button size="lg" block onClick={() => setEmail('')}>
      {words.otherAddress}
    </Button>
  )
  if (standing.isPending) {
    return (
      <AuthFrame title={words.title}>
        <Loading label={words.looking} className="grid gap-5">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-12 w-full" />
        </Loading>
      </AuthFrame>
    )
  }
  if (standing.isError) {
    return (
      <AuthFrame title={words.title}>
        <FormMessage tone="error">{words.failed}</FormMessage>
        <div className="grid gap-3">
          <Button variant="primary" size="lg" block onClick={() => void standing.refetch()}>
            {words.check}
          </Button>
          {another}
        </div>
      </AuthFrame>
    )
  }
  switch (standing.data) {
    case 'invited':
      return (
        <AuthFrame title={words.title} lead={copy.register.invited(email)}>
          <RegisterForm next={paths.feed} invitedEmail={email} />
        </AuthFrame>
      )
    case 'expired':
      return (
        <AuthFrame title={words.ranOut.title} lead={words.ranOut.text(email)}>
          <div className="grid gap-3">
            <AskAgain email={email} />
            {another}
          </div>
        </AuthFrame>
      )
    case 'used':
      return (
        <AuthFrame title={words.used.title} lead={words.used.text(email)}>
          <div className="grid gap-3">
            <LinkButton to={paths.login} variant="primary" size="lg" block>
              {copy.register.signIn}
            </LinkButton>
            {another}
          </div>
        </AuthFrame>
      )
    case 'waiting':
      return (
        <AuthFrame title={words.waiting.title} lead={words.waiting.text(email)}>
          {another}
        </AuthFrame>
      )
    case 'unknown':
      return (
        <AuthFrame title={words.unknown.title} lead={words.unknown.text(email)}>
          <div className="grid gap-3">
            <LinkButton to={paths.quiz} variant="primary" size="lg" block>
              {words.join}
            </LinkButton>
            {another}
          </div>
        </AuthFrame>
      )
  }
}
