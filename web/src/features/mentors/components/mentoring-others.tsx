/** What the reader offers as a mentor, who asks, and whom they mentor, each with the next step of their plan. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { nextOf } from '@/api/growth/model'
import { planQuery } from '@/api/growth/queries'
import { nameOf } from '@/api/people/model'
import { Badge } from '@/components/ui/badge'
import { BusyButton, Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { formatDate } from '@/lib/format/dates'
import { changeMentoring } from '../api'
import { copy } from '../copy'
import type { Mentoring, Offer } from '../model'
import { useMentorChange } from '../use-mentors'
import { MentoringPerson } from './mentoring-person'
import { OfferDialog } from './offer-dialog'

function Request({ mentoring, isFull }: { mentoring: Mentoring; isFull: boolean }) {
  const { id, message, other } = mentoring
  const answer = useMentorChange(changeMentoring)
  const busyWith = answer.isPending ? answer.variables.state : null
  const whose = <span className="sr-only"> {copy.whom(nameOf(other))}</span>
  const give = (state: 'accepted' | 'declined') => () => {
    if (!answer.isPending) answer.mutate({ id, state })
  }
  return (
    <MentoringPerson mentoring={mentoring}>
      <p className="text-small text-muted">{copy.requests}</p>
      <p dir="auto" className="text-small [overflow-wrap:anywhere] whitespace-pre-line">
        “{message}”
      </p>
      {isFull && <p className="text-small text-muted">{copy.full}</p>}
      <div className="flex flex-wrap gap-2">
        {!isFull && (
          <BusyButton
            variant="primary"
            size="sm"
            busy={busyWith === 'accepted'}
            busyLabel={copy.form.saving}
            onClick={give('accepted')}
          >
            {copy.accept}
            {whose}
          </BusyButton>
        )}
        <BusyButton size="sm" busy={busyWith === 'declined'} busyLabel={copy.form.saving} onClick={give('declined')}>
          {copy.decline}
          {whose}
        </BusyButton>
      </div>
    </MentoringPerson>
  )
}

function Mentee({ mentoring }: { mentoring: Mentoring }) {
  const { other, otherId, since } = mentoring
  const plan = useQuery(planQuery(otherId)).data
  const next = plan && nextOf(plan.requirements)
  return (
    <MentoringPerson mentoring={mentoring}>
      {plan === null && <p className="text-small text-muted">{copy.noPlan}</p>}
      {plan && (
        <p className="text-small [overflow-wrap:anywhere]">
          <b className="block font-semibold">{plan.title}</b>
          {next ? (
            <>
              <span className="text-muted">{copy.nextStep}</span> {next.title}
            </>
          ) : (
            <span className="text-muted">{plan.requirements.length > 0 ? copy.allMet : copy.noSteps}</span>
          )}
        </p>
      )}
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-small text-muted">
        {copy.since(formatDate(since))}
        {plan && (
          <Link to={paths.planOf(otherId)} className="min-h-6 link">
            {copy.openPlan}
            <span className="sr-only"> {copy.planOf(nameOf(other))}</span>
          </Link>
        )}
      </p>
    </MentoringPerson>
  )
}

export function MentoringOthers({ offer, mentorings }: { offer: Offer | null; mentorings: readonly Mentoring[] }) {
  const requests = mentorings.filter(({ isMentor, state }) => isMentor && state === 'asked')
  const mentees = mentorings.filter(({ isMentor, state }) => isMentor && state === 'accepted')
  const isFull = mentees.length >= (offer?.capacity ?? 0)
  return (
    <Card>
      <section aria-label={copy.you} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <header className="flex min-h-9 items-center justify-between gap-3">
          <h2 className="type-card">{copy.you}</h2>
          {offer && (
            <OfferDialog
              offer={offer}
              trigger={
                <Button variant="quiet" size="sm" className="-mr-3">
                  {copy.edit} <span className="sr-only">{copy.editWhat}</span>
                </Button>
              }
            />
          )}
        </header>
        <p className="text-small text-muted">
          {!offer ? copy.youDont : offer.isOpen ? copy.youDo(mentees.length, offer.capacity) : copy.youPause}
        </p>
        {offer?.isOpen && <Topics topics={offer.topics} />}
        {!offer && (
          <OfferDialog
            offer={null}
            trigger={
              <Button size="sm" className="justify-self-start max-sm:w-full">
                {copy.offer}
              </Button>
            }
          />
        )}
        {requests.length + mentees.length > 0 && (
          <ul className="divide-y divide-line border-t border-line pt-3">
            {requests.map((one) => (
              <Request key={one.id} mentoring={one} isFull={isFull} />
            ))}
            {mentees.map((one) => (
              <Mentee key={one.id} mentoring={one} />
            ))}
          </ul>
        )}
      </section>
    </Card>
  )
}

export function Topics({ topics }: { topics: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-2">
      {topics.map((topic) => (
        <li key={topic} className="max-w-full">
          <Badge className="max-w-full">
            <span className="truncate">{topic}</span>
          </Badge>
        </li>
      ))}
    </ul>
  )
}
