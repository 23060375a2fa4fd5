/** A plan in a card, on the dashboard and in profiles: goal, progress, the next step. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { metCount, nextOf } from '@/api/growth/model'
import { planQuery } from '@/api/growth/queries'
import { useMemberId } from '@/api/session/auth-context'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Stripe } from '@/components/ui/stripe'
import { paths } from '@/config/paths'
import { copy } from '../copy'
import { stepOf } from '../model'

const strings = copy.card

/** Nothing while it loads, and for who may not see it. */
export function PlanCard({ ownerId }: { ownerId: string }) {
  const own = useMemberId() === ownerId
  const plan = useQuery(planQuery(ownerId)).data
  if (plan === undefined || (plan === null && !own)) return null
  const next = plan && nextOf(plan.requirements)
  const met = plan ? metCount(plan.requirements) : 0
  return (
    <Card>
      <section aria-label={strings.title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <header className="flex items-baseline justify-between gap-3">
          <h2 className="type-card">{strings.title}</h2>
          {plan && (
            <Link to={own ? paths.plan : paths.planOf(ownerId)} className="min-h-6 text-small link">
              {strings.open}
            </Link>
          )}
        </header>
        {!plan ? (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-ui text-muted">{strings.none}</p>
            <LinkButton to={paths.plan} size="sm" className="max-sm:w-full">
              {copy.choose.action}
            </LinkButton>
          </div>
        ) : (
          <>
            <p dir="auto" className="type-name [overflow-wrap:anywhere]">
              {plan.title}
            </p>
            {plan.requirements.length > 0 && (
              <>
                <Stripe value={met} of={plan.requirements.length} from={0} label={copy.progress} />
                <p className="text-small text-muted tabular-nums">{copy.met(met, plan.requirements.length)}</p>
              </>
            )}
            <p className="text-ui [overflow-wrap:anywhere]">
              {next ? (
                <>
                  <span className="text-muted">{strings.nextStep}</span> {own ? stepOf(next).title : next.title}
                </>
              ) : plan.requirements.length > 0 ? (
                copy.allMet
              ) : (
                copy.noRequirements
              )}
            </p>
          </>
        )}
      </section>
    </Card>
  )
}
