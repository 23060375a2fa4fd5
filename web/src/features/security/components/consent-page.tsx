/** /oauth/consent : another application asks to use the member's account (§15.6). */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Blocks, Check, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { FieldError } from '@/components/ui/field'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { answerApplication, type AskingApplication, authorizationQuery, RequestGone } from '../api/applications'
import { authorizationOf, isSamePlace, placeOf, safeTarget, scopeWords, shownName } from '../applications'
import { applicationsCopy as copy } from '../applications-copy'

function Panel({
  title,
  lead,
  glyph,
  children,
}: {
  title: string
  lead: string
  glyph: ReactNode
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [title])
  return (
    <Card className="grid gap-5 p-5 md:p-7">
      <span aria-hidden className="grid size-12 place-items-center rounded-[24%] bg-sunken text-muted [&_svg]:size-6">
        {glyph}
      </span>
      <div>
        <h1 ref={heading} tabIndex={-1} className="type-h1 [overflow-wrap:anywhere] outline-none">
          {title}
        </h1>
        <p className="mt-2 text-muted">{lead}</p>
      </div>
      {children}
    </Card>
  )
}

const Gone = () => (
  <Panel title={copy.gone.title} lead={copy.gone.lead} glyph={<TriangleAlert />}>
    <LinkButton to={paths.feed} variant="primary" size="lg" block>
      {copy.gone.action}
    </LinkButton>
  </Panel>
)

const Unsafe = () => (
  <Panel title={copy.unsafe.title} lead={copy.unsafe.lead} glyph={<TriangleAlert />}>
    <LinkButton to={paths.feedback} variant="primary" size="lg" block>
      {copy.unsafe.action}
    </LinkButton>
  </Panel>
)

/** Goes there; stays in sight where the address opens an installed application. */
function Leaving({ target }: { target: URL }) {
  useEffect(() => window.location.assign(target.href), [target.href])
  return (
    <Panel title={copy.leaving.title} lead={copy.leaving.lead(placeOf(target))} glyph={<Blocks />}>
      <Button variant="primary" size="lg" block onClick={() => window.location.assign(target.href)}>
        {copy.leaving.go}
      </Button>
    </Panel>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 py-3">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="font-semibold [overflow-wrap:anywhere]">
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}

interface ConsentProps {
  id: string
  asking: AskingApplication
  told: URL
  onAnswered: (target: string) => void
}

function Consent({ id, asking, told, onAnswered }: ConsentProps) {
  const answering = useMutation({
    mutationFn: (approved: boolean) => answerApplication(id, approved),
    onSuccess: onAnswered,
  })
  if (answering.error instanceof RequestGone) return <Gone />
  const answer = (approved: boolean) => {
    if (!answering.isPending) answering.mutate(approved)
  }
  const strings = copy.consent
  return (
    <Panel title={strings.heading(shownName(asking.name))} lead={strings.lead} glyph={<Blocks />}>
      <dl className="divide-y divide-line border-y border-line">
        <Fact name={strings.place}>{placeOf(told)}</Fact>
        <Fact name={strings.account}>{asking.email}</Fact>
      </dl>
      <section aria-label={strings.may}>
        <h2 className="type-card">{strings.may}</h2>
        <ul className="mt-2 grid gap-2">
          {[...scopeWords(asking.scopes, strings.scopes), strings.everything].map((words) => (
            <li key={words} className="grid grid-cols-[auto_1fr] gap-3 [overflow-wrap:anywhere]">
              <Check aria-hidden className="mt-1 size-4 text-muted" />
              {words}
            </li>
          ))}
        </ul>
        <p className="mt-3 text-small text-muted">
          {strings.mayNot} {strings.until}
        </p>
      </section>
      {answering.isError && <FieldError>{strings.answerFailed}</FieldError>}
      <div className="grid gap-3 sm:grid-cols-2">
        <BusyButton
          size="lg"
          block
          busy={answering.isPending && !answering.variables}
          busyLabel={strings.denying}
          onClick={() => answer(false)}
        >
          {strings.deny}
        </BusyButton>
        <BusyButton
          variant="primary"
          size="lg"
          block
          busy={answering.isPending && answering.variables}
          busyLabel={strings.approving}
          onClick={() => answer(true)}
        >
          {strings.approve}
        </BusyButton>
      </div>
    </Panel>
  )
}

function Request({ id }: { id: string }) {
  const [answered, setAnswered] = useState<string | null>(null)
  const request = useQuery(authorizationQuery(id))
  if (request.isPending) {
    return (
      <Loading label={copy.consent.loading} className="grid gap-4">
        <Skeleton className="h-9 w-3/4" />
        <Skeleton shape="card" className="h-72 w-full" />
      </Loading>
    )
  }
  if (request.error instanceof RequestGone) return <Gone />
  if (request.isError) {
    return (
      <Panel title={copy.consent.failed} lead={copy.consent.title} glyph={<TriangleAlert />}>
        <Button variant="primary" size="lg" block onClick={() => void request.refetch()}>
          {copy.consent.retry}
        </Button>
      </Panel>
    )
  }
  const asking = 'asking' in request.data ? request.data.asking : null
  const told = asking && safeTarget(asking.redirectUri)
  if (asking && told && answered === null)
    return <Consent id={id} asking={asking} told={told} onAnswered={setAnswered} />
  const target = safeTarget('target' in request.data ? request.data.target : (answered ?? ''))
  if (!target || (told && !isSamePlace(target, told))) return <Unsafe />
  return <Leaving target={target} />
}

export function ConsentPage({ search }: { search: string }) {
  const id = authorizationOf(search)
  return <div className="page max-w-[34rem] py-8 md:py-14">{id === null ? <Gone /> : <Request key={id} id={id} />}</div>
}
