/** /invitation : registers an invited visitor with the invited address; shows everyone else their waitlist status. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { requestInvitation, invitationQuery } from '../api/invitation'
import { copy } from '../copy'
import { parseInvitation } from '../invitation'
import { invitationSchema } from '../schemas'
import { AuthFrame } from './auth-frame'
import { AuthForm } from './auth-form'
import { EmailField } from './email-field'
import { FormMessage } from './form-message'
import { RegisterForm } from './register-form'

const strings = copy.invitation

function AskAddress({ onAsk }: { onAsk: (email: string) => void }) {
  const { register, handleSubmit, formState } = useZodForm(invitationSchema, { defaultValues: { email: '' } })
  const submit = handleSubmit(({ email }) => onAsk(email))
  return (
    <AuthForm
      failure={undefined}
      busy={false}
      label={strings.check}
      busyLabel={strings.checking}
      onSubmit={(event) => void submit(event)}
    >
      <EmailField error={formState.errors.email?.message} autoComplete="email" {...register('email')} />
    </AuthForm>
  )
}

/** §2.6: expired; one click requests another one. */
function AskAgain({ email }: { email: string }) {
  const { mutate, status } = useMutation({ mutationFn: () => requestInvitation(email) })
  if (status === 'success') return <FormMessage tone="done">{strings.ranOut.requested}</FormMessage>
  return (
    <>
      {status === 'error' && <FormMessage tone="error">{strings.ranOut.failed}</FormMessage>}
      <BusyButton
        variant="primary"
        size="lg"
        block
        busy={status === 'pending'}
        busyLabel={strings.ranOut.asking}
        onClick={() => mutate()}
      >
        {strings.ranOut.ask}
      </BusyButton>
    </>
  )
}

export function InvitationPage() {
  const [link] = useState(() => parseInvitation(window.location.href))
  const [email, setEmail] = useState(link.email)
  const invitation = useQuery(invitationQuery(email))

  if (email === '') {
    return link.expired ? (
      <AuthFrame title={strings.expired.title} lead={strings.expired.text}>
        <AskAddress onAsk={setEmail} />
      </AuthFrame>
    ) : (
      <AuthFrame title={strings.title} lead={strings.ask}>
        <AskAddress onAsk={setEmail} />
      </AuthFrame>
    )
  }
  const another = (
    <Button size="lg" block onClick={() => setEmail('')}>
      {strings.otherAddress}
    </Button>
  )
  if (invitation.isPending) {
    return (
      <AuthFrame title={strings.title}>
        <Loading label={strings.looking} className="grid gap-5">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-12 w-full" />
        </Loading>
      </AuthFrame>
    )
  }
  if (invitation.isError) {
    return (
      <AuthFrame title={strings.title}>
        <FormMessage tone="error">{strings.failed}</FormMessage>
        <div className="grid gap-3">
          <Button variant="primary" size="lg" block onClick={() => void invitation.refetch()}>
            {strings.check}
          </Button>
          {another}
        </div>
      </AuthFrame>
    )
  }
  switch (invitation.data) {
    case 'invited':
      return (
        <RegisterForm
          title={strings.title}
          lead={copy.register.invited(email)}
          next={paths.feed}
          invitedEmail={email}
          invitation={email === link.email ? link.token : ''}
        />
      )
    case 'expired':
      return (
        <AuthFrame title={strings.ranOut.title} lead={strings.ranOut.text(email)}>
          <div className="grid gap-3">
            <AskAgain email={email} />
            {another}
          </div>
        </AuthFrame>
      )
    case 'used':
      return (
        <AuthFrame title={strings.used.title} lead={strings.used.text(email)}>
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
        <AuthFrame title={strings.waiting.title} lead={strings.waiting.text(email)}>
          {another}
        </AuthFrame>
      )
    case 'unknown':
      return (
        <AuthFrame title={strings.unknown.title} lead={strings.unknown.text(email)}>
          <div className="grid gap-3">
            <LinkButton to={paths.quiz} variant="primary" size="lg" block>
              {strings.join}
            </LinkButton>
            {another}
          </div>
        </AuthFrame>
      )
  }
}
