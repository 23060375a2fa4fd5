/** The next step of one's own plan, named, with where it is done. */
import { Target } from 'lucide-react'
import { nextOf, type Plan } from '@/api/growth/model'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { tickRequirement } from '../api'
import { copy } from '../copy'
import { stepOf, wordsOf } from '../model'
import { useChange } from '../use-change'
import { ChooseGoal } from './choose-goal'
import { RequirementDialog } from './requirement-dialogs'

const strings = copy.next

export function NextStep({ plan }: { plan: Plan }) {
  const next = nextOf(plan.requirements)
  const tick = useChange((id: string) => tickRequirement(id, true))
  const step = next && stepOf(next)
  return (
    <Card>
      <section aria-label={strings.title} className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4 md:p-5">
        <h2 className="basis-full type-card">{strings.title}</h2>
        <span
          aria-hidden
          className="grid size-10 shrink-0 place-items-center rounded-control bg-ember-soft text-ember-text"
        >
          <Target className="size-5" />
        </span>
        <p className="min-w-0 grow basis-48">
          <b dir="auto" className="block type-name [overflow-wrap:anywhere]">
            {step?.title ?? (plan.requirements.length > 0 ? copy.allMet : copy.noRequirements)}
          </b>
          {next && (
            <span className="block text-small [overflow-wrap:anywhere] text-muted">{next.detail || wordsOf(next)}</span>
          )}
        </p>
        {!next ? (
          plan.requirements.length > 0 ? (
            <ChooseGoal
              replaces
              trigger={
                <Button variant="primary" size="sm" className="max-sm:w-full">
                  {strings.nextGoal}
                </Button>
              }
            />
          ) : (
            <RequirementDialog
              trigger={
                <Button variant="primary" size="sm" className="max-sm:w-full">
                  {strings.add}
                </Button>
              }
            />
          )
        ) : step?.action ? (
          <LinkButton to={step.action.to} variant="primary" size="sm" className="max-sm:w-full">
            {step.action.label}
          </LinkButton>
        ) : (
          <BusyButton
            variant="primary"
            size="sm"
            className="max-sm:w-full"
            busy={tick.isPending}
            busyLabel={copy.form.saving}
            onClick={() => tick.mutate(next.id)}
          >
            {copy.requirements.done}
          </BusyButton>
        )}
      </section>
    </Card>
  )
}
