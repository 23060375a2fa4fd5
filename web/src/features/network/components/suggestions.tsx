/** People you may know, each with a button to connect. */
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { connectionsWithQuery } from '@/api/connections/queries'
import { useConnectionActions } from '@/api/connections/use-connection-actions'
import { nameOf, unitOf } from '@/api/people/model'
import { suggestionsQuery } from '@/api/people/queries'
import { useReasons } from '@/api/people/use-reasons'
import { useMemberId } from '@/api/session/auth-context'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PersonLine } from '@/components/ui/person-line'
import { paths } from '@/config/paths'
import { copy } from '../copy'
import { ConnectionActions } from './connection-actions'

/** Renders nothing without suggestions, because it is a secondary part of its pages. */
export function Suggestions({ most = 4 }: { most?: number }) {
  const memberId = useMemberId()
  const people = useQuery(suggestionsQuery(memberId)).data?.slice(0, most) ?? []
  const connections =
    useQuery(
      connectionsWithQuery(
        memberId,
        people.map((person) => person.id),
      ),
    ).data ?? {}
  const reasonOf = useReasons(people, true)
  const { runAction, busyWith } = useConnectionActions()
  if (people.length === 0) return null
  return (
    <Card>
      <section className="grid grid-cols-1 gap-4 p-4 md:p-5" aria-label={copy.suggestions}>
        <h2 className="type-card">{copy.suggestions}</h2>
        <ul className="grid grid-cols-1 gap-4">
          {people.map((person) => {
            const other = { otherId: person.id, profile: person, connection: connections[person.id] }
            return (
              <li key={person.id} className="flex items-center gap-3">
                <PersonLine
                  memberId={person.id}
                  name={nameOf(person)}
                  avatarUrl={person.avatar_url}
                  unit={unitOf(person)}
                  reason={reasonOf(person)}
                  to={paths.profileOf(person.id)}
                  className="grow"
                />
                {other.connection ? (
                  <ConnectionActions other={other} />
                ) : (
                  <Button
                    size="icon-sm"
                    aria-label={copy.actions.connectWith(nameOf(person))}
                    aria-disabled={busyWith === person.id}
                    onClick={() => runAction('request', other)}
                  >
                    <Plus aria-hidden />
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      </section>
    </Card>
  )
}
