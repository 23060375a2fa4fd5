/** Mentoring beside a growth plan: all of the reader's beside their own, the one with its member beside another's. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { nameOf } from '@/api/people/model'
import { useMemberId } from '@/api/session/auth-context'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { formatDate } from '@/lib/format/dates'
import { mentoringsQuery, offerQuery } from '../api'
import { copy } from '../copy'
import { useLiveMentors } from '../use-mentors'
import { MentoringMenu } from './mentoring-menu'
import { MentoringOthers } from './mentoring-others'
import { YourMentors } from './your-mentors'

function Own() {
  const memberId = useMemberId()
  const mentorings = useQuery(mentoringsQuery(memberId))
  const offer = useQuery(offerQuery(memberId))
  const mentees = useMemo(
    () =>
      (mentorings.data ?? [])
        .filter(({ isMentor, state }) => isMentor && state === 'accepted')
        .map((one) => one.otherId)
        .toSorted(),
    [mentorings.data],
  )
  useLiveMentors(mentees)
  if (mentorings.isPending || offer.isPending) {
    return (
      <Loading label={copy.loading} className="grid gap-4">
        <Skeleton shape="card" className="h-32 w-full" />
        <Skeleton shape="card" className="h-32 w-full" />
      </Loading>
    )
  }
  if (!mentorings.data || offer.data === undefined) {
    const retry = () => void Promise.all([mentorings.refetch(), offer.refetch()])
    return (
      <Card>
        <h2 className="sr-only">{copy.title}</h2>
        <Failed title={copy.failed} onRetry={retry} />
      </Card>
    )
  }
  return (
    <>
      <YourMentors mentorings={mentorings.data} />
      <MentoringOthers offer={offer.data} mentorings={mentorings.data} />
    </>
  )
}

function WithMember({ ownerId }: { ownerId: string }) {
  const mentorings = useQuery(mentoringsQuery(useMemberId())).data
  useLiveMentors(useMemo(() => [ownerId], [ownerId]))
  const one = mentorings?.find(
    ({ otherId, isMentor, state }) => otherId === ownerId && isMentor && state === 'accepted',
  )
  if (!one) return null
  return (
    <Card>
      <section aria-label={copy.title} className="grid grid-cols-1 gap-2 p-4 md:p-5">
        <header className="flex min-h-9 items-center justify-between gap-3">
          <h2 className="type-card">{copy.title}</h2>
          <MentoringMenu mentoring={one} />
        </header>
        <p className="text-small text-muted">{copy.isMentee(nameOf(one.other), formatDate(one.since))}</p>
        <p dir="auto" className="text-small [overflow-wrap:anywhere] whitespace-pre-line">
          “{one.message}”
        </p>
      </section>
    </Card>
  )
}

export function PlanMentoring({ ownerId }: { ownerId: string }) {
  return useMemberId() === ownerId ? <Own /> : <WithMember ownerId={ownerId} />
}
