/** Who comes, for the organizer (§12.2): going, waiting in order, interested. */
import { useQuery } from '@tanstack/react-query'
import { nameOf, unitOf } from '@/api/people/model'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { PersonLine } from '@/components/ui/person-line'
import { Loading, PersonSkeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { attendeesQuery } from '../api/queries'
import { copy } from '../copy'

const strings = copy.attendees

export function Attendees({ trainingId, over }: { trainingId: string; over: boolean }) {
  const found = useQuery(attendeesQuery(trainingId))
  const all = found.data ?? []
  const groups = [
    { title: strings.going, people: all.filter(({ answer, is_waiting }) => answer === 'going' && !is_waiting) },
    { title: strings.waiting, people: all.filter(({ is_waiting }) => is_waiting) },
    { title: strings.interested, people: all.filter(({ answer }) => answer === 'interested') },
  ].filter(({ people }) => people.length > 0)
  return (
    <Card>
      <section aria-label={strings.title(over)} className="grid grid-cols-1 gap-4 p-4 md:p-5">
        <div>
          <h2 className="type-card">{strings.title(over)}</h2>
          <p className="text-small text-muted">{strings.lead}</p>
        </div>
        {found.isPending && (
          <Loading label={strings.loading}>
            <PersonSkeleton lines={['w-2/5', 'w-1/2']} />
          </Loading>
        )}
        {found.isError && !found.data && <Failed title={strings.failed} onRetry={() => void found.refetch()} />}
        {found.data && groups.length === 0 && <p className="text-ui text-muted">{strings.empty(over)}</p>}
        {groups.map(({ title, people }) => (
          <div key={title}>
            <h3 className="mb-1 text-small font-semibold text-muted">
              {title} <span className="tabular-nums">{people.length.toLocaleString('en-US')}</span>
            </h3>
            <ul className="divide-y divide-line">
              {people.map(({ user_id, member }) => (
                <li key={user_id} className="py-2.5">
                  <PersonLine
                    memberId={user_id}
                    name={nameOf(member, strings.hidden)}
                    avatarUrl={member?.avatar_url}
                    unit={unitOf(member)}
                    {...(member ? { to: paths.profileOf(user_id) } : {})}
                  />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </section>
    </Card>
  )
}
