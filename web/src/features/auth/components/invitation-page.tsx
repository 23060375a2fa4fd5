/** /invitation : greets whoever is invited and registers them with that address; tells everyone else where they stand. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Bone, Loading } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { askForInvitation, invitationQuery } from '../api/invitation'
import { copy } from '../copy'
import { parseInvitation } from '../invitation'
import { looksLikeEmail } from '../model'
import { AuthFrame } from './auth-frame'
import { useAttempt } from '../use-attempt'
import { AuthForm } from './auth-form'
import { EmailField } from './email-field'
import { Notice } from './notice'
import { RegisterForm } from './register-form'

const words = copy.invitation

function AskAddress({ busy, onAsk }: { busy: boolean; onAsk: (email: string) => void }) {
  const [email, setEmail] = useState('')
  const { errors, attempt } = useAttempt<'email'>()
  const submit = async (form: HTMLFormElement) => {
    const wrong = { email: looksLikeEmail(email) ? undefined : copy.invalid.email }
    if (await attempt('submit', form, wrong, () => Promise.resolve(null))) onAsk(email.trim().toLowerCase())
  }
  return (
    <AuthForm failure={null} busy={busy} label={words.check} busyLabel={words.checking} onSubmit={submit}>
      <EmailField error={errors.email} autoComplete="email" value={email} onValue={setEmail} />
    </AuthForm>
  )
}

/** §2.6: too late; one press asks for another one. */
function AskAgain({ email }: { email: string }) {
  const { mutate, status } = useMutation({ mutationFn: () => askForInvitation(email) })
  if (status === 'success') return <Notice tone="done">{words.ranOut.asked}</Notice>
  return (
    <>
      {status === 'error' && <Notice tone="error">{words.ranOut.failed}</Notice>}
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
        <AskAddress busy={false} onAsk={setEmail} />
      </AuthFrame>
    ) : (
      <AuthFrame title={words.title} lead={words.ask}>
        <AskAddress busy={false} onAsk={setEmail} />
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
          <Bone className="h-10 w-full" />
          <Bone className="h-10 w-full" />
          <Bone className="h-12 w-full" />
        </Loading>
      </AuthFrame>
    )
  }
  if (standing.isError) {
    return (
      <AuthFrame title={words.title}>
        <Notice tone="error">{words.failed}</Notice>
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
