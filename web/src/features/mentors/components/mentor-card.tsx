/** "I mentor" in a profile: topics, and what the reader may do: ask, withdraw, end. Nothing for who mentors nobody. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import { connectedQuery } from '@/api/connections/queries'
import { nameOf } from '@/api/people/model'
import { personQuery } from '@/api/people/queries'
import { useMemberId } from '@/api/session/auth-context'
import { BusyButton, Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { useNow } from '@/lib/browser/use-now'
import { formatDate } from '@/lib/format/dates'
import { changeMentoring, mentoringsQuery, offerQuery } from '../api'
import { copy } from '../copy'
import { type Mentoring, mentorsAmong, type Offer } from '../model'
import { useLiveMentors, useMentorChange } from '../use-mentors'
import { AskDialog } from './ask-dialog'
import { MentoringMenu } from './mentoring-menu'
import { Topics } from './mentoring-others'
import { OfferDialog } from './offer-dialog'

interface Props {
  personId: string
  name: string
  offer: Offer | null
  mentoring: Mentoring | undefined
}

/** What stands between the two, and the next step about it. */
function WithReader({ personId, name, offer, mentoring }: Props) {
  const me = useMemberId()
  const isConnected = useQuery(connectedQuery(me, personId)).data
  const withdraw = useMentorChange(changeMentoring)
  const state = mentoring?.state
  if (mentoring && state === 'accepted')
    return <p className="text-small text-muted">{copy.isYours(name, formatDate(mentoring.since))}</p>
  if (mentoring && state === 'asked') {
    return (
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-small text-muted">{copy.asked(formatDate(mentoring.since))}</p>
        <BusyButton
          size="sm"
          busy={withdraw.isPending}
          busyLabel={copy.form.saving}
          onClick={() => withdraw.mutate({ id: mentoring.id, state: 'ended' })}
        >
          {copy.withdraw}
          <span className="sr-only"> {copy.withdrawTo(name)}</span>
        </BusyButton>
      </div>
    )
  }
  if (mentoring && state === 'declined')
    return <p className="text-small text-muted">{copy.declined(formatDate(mentoring.since))}</p>
  if (!offer || isConnected === undefined) return null
  if (!offer.hasRoom) return <p className="text-small text-muted">{copy.noRoom}</p>
  if (!isConnected) return <p className="text-small text-muted">{copy.connectFirst}</p>
  return (
    <AskDialog
      mentorId={personId}
      name={name}
      trigger={
        <Button size="sm" className="justify-self-start max-sm:w-full">
          {copy.ask(name)}
        </Button>
      }
    />
  )
}

function OfMember({ personId }: { personId: string }) {
  const now = useNow()
  const me = useMemberId()
  const offer = useQuery(offerQuery(personId)).data
  const mentorings = useQuery(mentoringsQuery(me)).data
  const name = nameOf(useQuery(personQuery(personId)).data)
  if (offer === undefined || !mentorings) return null
  const mentoring = mentorsAmong(mentorings, now).find(({ otherId }) => otherId === personId)
  if (!offer && (!mentoring || mentoring.state === 'ended')) return null
  const title = copy.theyDo(name)
  const isMenuWanted = mentoring?.state === 'accepted'
  return (
    <Card>
      <section aria-label={title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <header className="flex min-h-9 items-center justify-between gap-3">
          <h2 className="type-card [overflow-wrap:anywhere]">{title}</h2>
          {isMenuWanted && <MentoringMenu mentoring={mentoring} />}
        </header>
        {offer && <Topics topics={offer.topics} />}
        {offer && offer.note !== '' && (
          <p dir="auto" className="[overflow-wrap:anywhere]">
            “{offer.note}”
          </p>
        )}
        <WithReader personId={personId} name={name} offer={offer} mentoring={mentoring} />
      </section>
    </Card>
  )
}

/** On the own profile only what others see; the rest is beside the growth plan. */
function Own() {
  const offer = useQuery(offerQuery(useMemberId())).data
  if (!offer?.isOpen) return null
  return (
    <Card>
      <section aria-label={copy.you} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <header className="flex min-h-9 items-center justify-between gap-3">
          <h2 className="type-card">{copy.you}</h2>
          <OfferDialog
            offer={offer}
            trigger={
              <Button variant="quiet" size="sm" className="-mr-3">
                {copy.edit} <span className="sr-only">{copy.editWhat}</span>
              </Button>
            }
          />
        </header>
        <Topics topics={offer.topics} />
        {offer.note !== '' && (
          <p dir="auto" className="[overflow-wrap:anywhere]">
            “{offer.note}”
          </p>
        )}
        <Link to={paths.plan} className="min-h-6 justify-self-start text-small link">
          {copy.toPlan}
        </Link>
      </section>
    </Card>
  )
}

export function MentorCard({ personId }: { personId: string }) {
  useLiveMentors(useMemo(() => [personId], [personId]))
  return useMemberId() === personId ? <Own /> : <OfMember personId={personId} />
}
