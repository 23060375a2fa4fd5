/** What is open, first the first open step with its action, then what is done; "All set", once, when all five are. */
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import type { FirstSteps } from '@/api/first-steps/queries'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Stripe } from '@/components/ui/stripe'
import { Tick } from '@/components/ui/tick'
import { paths } from '@/config/paths'
import { showToast } from '@/lib/toasts/toast'
import { copy } from '../copy'
import { type Step, type StepName, stepsOf } from '../model'
import { useHide } from '../use-hide'
import { CertificationForm } from './certification-form'

const places: Record<Exclude<StepName, 'certification'>, string> = {
  photo: paths.editProfile('photo'),
  rank: paths.editProfile('department'),
  people: paths.findPeople,
  lesson: paths.lessons,
}

function StepRow({ step, isFirst, steps }: { step: Step; isFirst: boolean; steps: FirstSteps }) {
  const { title, text, action } = copy.steps[step.name]
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4 md:px-5">
      <Tick state={step.isDone ? 'done' : isFirst ? 'next' : 'open'} />
      <p className="min-w-0 grow basis-48">
        <b className="block type-name">
          {title}
          {step.isDone && <span className="sr-only">, {copy.isDone}</span>}
        </b>
        {!step.isDone && (
          <span className="block text-small text-muted">
            {text} {step.name === 'people' && copy.people(steps.people, steps.asked)}
          </span>
        )}
      </p>
      {!step.isDone &&
        (step.name === 'certification' ? (
          <CertificationForm isOpen={isFirst} action={action} />
        ) : (
          <LinkButton
            to={places[step.name]}
            size="sm"
            variant={isFirst ? 'primary' : 'line'}
            className="max-sm:ml-10 max-sm:grow"
          >
            {action}
          </LinkButton>
        ))}
    </li>
  )
}

function AllSet({ onShown }: { onShown: () => void }) {
  const shown = useEffectEvent(onShown)
  useEffect(() => shown(), [])
  return (
    <Card>
      <section aria-label={copy.allSet.title} className="flex flex-wrap items-center gap-4 p-4 md:p-5" role="status">
        <span className="grid size-10 shrink-0 place-items-center rounded-control bg-success-soft text-success-text">
          <Check aria-hidden className="size-5" />
        </span>
        <div className="min-w-0 grow basis-48">
          <h2 className="type-card">{copy.allSet.title}</h2>
          <p className="text-ui text-muted">{copy.allSet.text}</p>
        </div>
      </section>
    </Card>
  )
}

export default function StepsCard({ steps: row, onAllSet }: { steps: FirstSteps; onAllSet: () => void }) {
  const name = useQuery(profileQuery(useMemberId())).data?.full_name?.trim().split(/\s+/)[0] ?? ''
  const hide = useHide()
  if (row.isFinished) {
    return (
      <AllSet
        onShown={() => {
          onAllSet()
          if (!row.isHidden) hide.mutate(true)
        }}
      />
    )
  }
  const steps = stepsOf(row)
  const open = steps.filter(({ isDone }) => !isDone).length
  const putAway = () => {
    hide.mutate(true)
    showToast({ ...copy.hidden, action: { label: copy.hidden.undo, run: () => hide.mutate(false) } })
  }
  return (
    <Card>
      <section aria-label={copy.title}>
        <header className="grid gap-3 p-4 pb-2 md:p-5 md:pb-2">
          <div>
            <h2 className="type-h2 [overflow-wrap:anywhere]">{copy.welcome(name)}</h2>
            <p className="mt-1 text-ui text-muted">{copy.lead(open)}</p>
          </div>
          <Stripe value={steps.length - open} of={steps.length} from={0} label={copy.progress} />
          <p className="flex items-center justify-between gap-3 text-small text-muted">
            <span className="tabular-nums">{copy.done(steps.length - open, steps.length)}</span>
            <Button variant="quiet" size="sm" className="-mr-3" onClick={putAway}>
              {copy.hide}
            </Button>
          </p>
        </header>
        <ol className="divide-y divide-line">
          {steps.map((step, at) => (
            <StepRow key={step.name} step={step} isFirst={at === 0 && !step.isDone} steps={row} />
          ))}
        </ol>
      </section>
    </Card>
  )
}
