/** Who mentors the reader, whom they asked, and what came of it. */
import { nameOf } from '@/api/people/model'
import { BusyButton, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { useNow } from '@/lib/browser/use-now'
import { formatDate } from '@/lib/format/dates'
import { changeMentoring } from '../api'
import { copy } from '../copy'
import { type Mentoring, mentorsAmong } from '../model'
import { useMentorChange } from '../use-mentors'
import { MentoringPerson } from './mentoring-person'

const words = {
  accepted: copy.following,
  asked: copy.asked,
  declined: copy.declined,
  ended: copy.ended,
  withdrawn: copy.ended,
} satisfies Record<Mentoring['state'], (day: string) => string>

function Row({ mentoring }: { mentoring: Mentoring }) {
  const { id, state, since, note, other } = mentoring
  const withdraw = useMentorChange(changeMentoring)
  return (
    <MentoringPerson mentoring={mentoring}>
      {state === 'accepted' && note !== '' && (
        <p dir="auto" className="text-small [overflow-wrap:anywhere]">
          “{note}”
        </p>
      )}
      <p className="text-small text-muted">{words[state](formatDate(since))}</p>
      {state === 'asked' && (
        <BusyButton
          size="sm"
          className="justify-self-start"
          busy={withdraw.isPending}
          busyLabel={copy.form.saving}
          onClick={() => withdraw.mutate({ id, state: 'ended' })}
        >
          {copy.withdraw}
          <span className="sr-only"> {copy.withdrawTo(nameOf(other))}</span>
        </BusyButton>
      )}
    </MentoringPerson>
  )
}

export function YourMentors({ mentorings }: { mentorings: readonly Mentoring[] }) {
  const mentors = mentorsAmong(mentorings, useNow())
  const current = mentors.filter(({ state }) => state === 'accepted').length
  const isWaiting = mentors.some(({ state }) => state === 'asked')
  const title = copy.yours(current)
  return (
    <Card>
      <section aria-label={title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <h2 className="type-card">{title}</h2>
        {mentors.length > 0 && (
          <ul className="divide-y divide-line">
            {mentors.map((one) => (
              <Row key={one.id} mentoring={one} />
            ))}
          </ul>
        )}
        {current === 0 && !isWaiting && (
          <>
            <p className="text-small text-muted">{copy.none}</p>
            <LinkButton to={paths.findMentors} size="sm" className="justify-self-start max-sm:w-full">
              {copy.find}
            </LinkButton>
          </>
        )}
      </section>
    </Card>
  )
}
