/** The member's next trainings, in a card: what they go to, wait for, are interested in or organize. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { answerOf, dayParts, type Training } from '@/api/trainings/model'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { nextTrainingsQuery } from '../api/queries'
import { copy } from '../copy'

const words = { going: copy.isGoing, waiting: copy.isWaiting, interested: copy.isInterested } as const

function stateOf(training: Training): string {
  const answer = answerOf(training)
  return answer ? words[answer] : copy.youOrganize
}

/** Nothing while it loads and when nothing is planned. */
export function NextTrainings() {
  const coming = useQuery(nextTrainingsQuery(useMemberId())).data ?? []
  if (coming.length === 0) return null
  return (
    <Card>
      <section aria-label={copy.next.title} className="grid grid-cols-1 gap-2 p-4 md:p-5">
        <div className="flex items-baseline justify-between gap-3">
          <h2 className="type-card">{copy.next.title}</h2>
          <Link to={`${paths.trainings}?tab=mine`} className="min-h-6 min-w-6 text-center text-small link">
            {copy.next.all} <span className="sr-only">{copy.next.title}</span>
          </Link>
        </div>
        <ul className="divide-y divide-line">
          {coming.map((training) => {
            const { month, day } = dayParts(training)
            return (
              <li key={training.id} className="flex items-center gap-4 py-2.5">
                <time dateTime={training.starts_at} className="grid w-11 shrink-0 justify-items-center gap-0.5">
                  <span className="type-mark text-muted uppercase">{month}</span>
                  <span className="text-[1.25rem] type-figure">{day}</span>
                </time>
                <span className="min-w-0">
                  <Link
                    to={paths.training(training.id)}
                    className="line-clamp-2 min-h-6 text-ui type-name [overflow-wrap:anywhere] hover:underline"
                  >
                    {training.title}
                  </Link>
                  <span className="block text-small text-muted">{stateOf(training)}</span>
                </span>
              </li>
            )
          })}
        </ul>
      </section>
    </Card>
  )
}
