/** /undo : says what the link of a security mail undoes, and undoes it when asked to (§15.4): opening it changes nothing. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { rejectionMessage } from '@/lib/supabase/errors'
import { undoQuery, undoSecurityEvent } from '../api/undo'
import { undoCopy as copy } from '../undo-copy'
import { AuthFrame } from './auth-frame'
import { FormMessage } from './form-message'

interface SecurityEvent {
  kind: string
  detail: string
  happened_at: string
  device: string
  network: string
}

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' })

function EventLine({ event }: { event: SecurityEvent }) {
  const from = copy.from(event.device, event.network)
  return (
    <li className="grid gap-0.5 border-t border-line py-3">
      <span dir="auto" className="font-semibold [overflow-wrap:anywhere]">
        {copy.event(event.kind, event.detail)}
      </span>
      <span className="text-small text-muted">
        <time dateTime={event.happened_at}>{moment.format(new Date(event.happened_at))}</time>
        {from && ` · ${from}`}
      </span>
    </li>
  )
}

function Gone() {
  return (
    <AuthFrame title={copy.gone.title} lead={copy.gone.lead}>
      <LinkButton to={paths.forgotPassword} variant="primary" size="lg" block>
        {copy.gone.action}
      </LinkButton>
    </AuthFrame>
  )
}

function Done({ email }: { email: string | null }) {
  return (
    <AuthFrame title={copy.done.title} lead={copy.done.lead}>
      <FormMessage tone={email === null ? 'error' : 'done'}>
        {email === null ? copy.done.without : copy.done.next(email)}
      </FormMessage>
      {email === null ? (
        <LinkButton to={paths.feedback} variant="primary" size="lg" block>
          {copy.done.write}
        </LinkButton>
      ) : (
        <LinkButton to={paths.forgotPassword} state={{ email }} variant="primary" size="lg" block>
          {copy.done.action}
        </LinkButton>
      )}
    </AuthFrame>
  )
}

export function UndoPage() {
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token')?.slice(0, 200) ?? '')
  const found = useQuery(undoQuery(token))
  const undoing = useMutation({ mutationFn: () => undoSecurityEvent(token) })

  if (undoing.isSuccess) return undoing.data ? <Done email={undoing.data.email} /> : <Gone />
  if (token === '') return <Gone />
  if (found.isPending) {
    return (
      <AuthFrame title={copy.title}>
        <Loading label={copy.loading} className="grid gap-5">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-12 w-full" />
        </Loading>
      </AuthFrame>
    )
  }
  if (found.isError) {
    return (
      <AuthFrame title={copy.title}>
        <FormMessage tone="error">{rejectionMessage(found.error, copy.failed)}</FormMessage>
        <Button variant="primary" size="lg" block onClick={() => void found.refetch()}>
          {copy.retry}
        </Button>
      </AuthFrame>
    )
  }
  const [first, ...later] = found.data
  if (!first) return <Gone />
  return (
    <AuthFrame title={copy.title} lead={copy.lead(first.account)}>
      <ul className="border-b border-line">
        <EventLine event={first} />
      </ul>
      {later.length > 0 && (
        <section className="mt-6">
          <h2 className="mb-2 type-card">{copy.later}</h2>
          <ul className="border-b border-line">
            {later.map((event, index) => (
              <EventLine key={index} event={event} />
            ))}
          </ul>
        </section>
      )}
      <p className="mt-6 mb-6 text-ui">{copy.consequences}</p>
      {undoing.isError && <FormMessage tone="error">{rejectionMessage(undoing.error, copy.undoFailed)}</FormMessage>}
      <div className="grid gap-3">
        <BusyButton
          variant="danger"
          size="lg"
          block
          busy={undoing.isPending}
          busyLabel={copy.undoing}
          onClick={() => undoing.mutate()}
        >
          {copy.undo}
        </BusyButton>
        <LinkButton to={paths.landing} size="lg" block>
          {copy.keep}
        </LinkButton>
      </div>
    </AuthFrame>
  )
}
