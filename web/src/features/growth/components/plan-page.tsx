/** A growth plan: one's own, to work on, or another member's, to read. */
import { useQuery } from '@tanstack/react-query'
import { Plus, Target } from 'lucide-react'
import type { ReactNode } from 'react'
import { metCount, nextOf, type Plan } from '@/api/growth/model'
import { planQuery } from '@/api/growth/queries'
import { nameOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { DocumentHead } from '@/components/document-head'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Confirm } from '@/components/ui/confirm'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { Stripe } from '@/components/ui/stripe'
import { paths } from '@/config/paths'
import { deletePlan, showPlan } from '../api'
import { copy } from '../copy'
import { useChange } from '../use-change'
import { useLivePlan } from '../use-live-plan'
import { ChooseGoal } from './choose-goal'
import { NextStep } from './next-step'
import { RequirementDialog } from './requirement-dialogs'
import { RequirementRow } from './requirement-row'

function Head({ plan, heading, children }: { plan: Plan; heading: string; children?: ReactNode }) {
  const { requirements } = plan
  const met = metCount(requirements)
  return (
    <header className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 grow basis-64">
          <p className="type-mark text-muted">{copy.title}</p>
          <h1 className="mt-1 type-h1 [overflow-wrap:anywhere]">{heading}</h1>
          {requirements.length > 0 && (
            <p className="mt-1 text-muted tabular-nums">{copy.met(met, requirements.length)}</p>
          )}
        </div>
        {children}
      </div>
      {requirements.length > 0 && (
        <Stripe value={met} of={requirements.length} from={0} label={copy.progress} className="h-2" />
      )}
    </header>
  )
}

function Requirements({ plan, own }: { plan: Plan; own: boolean }) {
  const { requirements } = plan
  const next = nextOf(requirements)
  return (
    <Card>
      <section aria-label={copy.requirements.title}>
        <header className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 p-4 pb-2 md:p-5 md:pb-2">
          <h2 className="type-card">{copy.requirements.title}</h2>
          {own && (
            <RequirementDialog
              place={Math.min(10_000, Math.max(0, ...requirements.map(({ place }) => place)) + 10)}
              trigger={
                <Button variant="quiet" size="sm" className="-mr-3">
                  <Plus aria-hidden /> {copy.requirements.add}
                </Button>
              }
            />
          )}
        </header>
        {requirements.length === 0 ? (
          <p className="p-4 pt-0 text-ui text-muted md:px-5">{copy.noRequirements}</p>
        ) : (
          <ol className="divide-y divide-line overflow-hidden rounded-b-card">
            {requirements.map((requirement) => (
              <RequirementRow
                key={requirement.id}
                requirement={requirement}
                isNext={requirement.id === next?.id}
                own={own}
                all={requirements}
              />
            ))}
          </ol>
        )}
      </section>
    </Card>
  )
}

function OwnSettings({ plan }: { plan: Plan }) {
  const show = useChange((visibility: string) => showPlan(plan.userId, visibility))
  const drop = useChange(() => deletePlan(plan.userId))
  const { label, hint, ...choices } = copy.visibility
  return (
    <Card>
      <div className="grid grid-cols-1 gap-4 p-4 md:p-5">
        <Field label={label} hint={hint}>
          {({ 'aria-invalid': _invalid, ...control }) => (
            <Select
              {...control}
              value={show.isPending ? show.variables : plan.visibility}
              onChange={(event) => show.mutate(event.target.value)}
            >
              {Object.entries(choices).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Confirm
          title={copy.drop.title}
          description={copy.drop.text}
          action={copy.drop.action}
          onConfirm={() => drop.mutate(undefined)}
        >
          <Button variant="danger-quiet" size="sm" className="-ml-3 justify-self-start">
            {copy.drop.action}
          </Button>
        </Confirm>
      </div>
    </Card>
  )
}

function NoPlan({ own, ownerId }: { own: boolean; ownerId: string }) {
  const strings = own ? copy.empty : copy.hidden
  return (
    <Card>
      <EmptyState
        glyph={<Target />}
        heading="h1"
        title={strings.title}
        action={
          own ? (
            <ChooseGoal trigger={<Button variant="primary">{copy.choose.action}</Button>} />
          ) : (
            <LinkButton to={paths.profileOf(ownerId)}>{copy.hidden.action}</LinkButton>
          )
        }
      >
        {strings.text}
      </EmptyState>
    </Card>
  )
}

/** `aside`: what stands beside it. */
export function PlanPage({ ownerId, aside }: { ownerId: string; aside?: ReactNode }) {
  const own = useMemberId() === ownerId
  const query = useQuery(planQuery(ownerId))
  const owner = useQuery({ ...profileQuery(ownerId), enabled: !own }).data
  useLivePlan(ownerId)
  const plan = query.data
  const heading = plan && (own ? copy.heading(plan.title) : copy.headingOf(nameOf(owner), plan.title))
  return (
    <>
      <DocumentHead title={heading ?? copy.title} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18.5rem]">
        <div className="grid min-w-0 grid-cols-1 gap-4">
          {query.isPending ? (
            <Loading label={copy.loading} className="grid gap-4">
              <h1 className="sr-only">{copy.title}</h1>
              <Skeleton className="h-9 w-72 max-w-full" />
              <Skeleton shape="card" className="h-24 w-full" />
              <Skeleton shape="card" className="h-64 w-full" />
            </Loading>
          ) : plan === undefined ? (
            <Card>
              <h1 className="sr-only">{copy.title}</h1>
              <Failed title={copy.failed} onRetry={() => void query.refetch()} />
            </Card>
          ) : plan === null ? (
            <NoPlan own={own} ownerId={ownerId} />
          ) : (
            <>
              <Head plan={plan} heading={heading ?? copy.title}>
                {own && <ChooseGoal replaces trigger={<Button size="sm">{copy.choose.change}</Button>} />}
              </Head>
              {own && <NextStep plan={plan} />}
              <Requirements plan={plan} own={own} />
            </>
          )}
        </div>
        <aside aria-label={copy.title} className="grid min-w-0 grid-cols-1 gap-4">
          {aside}
          {own && plan && <OwnSettings plan={plan} />}
        </aside>
      </div>
    </>
  )
}
