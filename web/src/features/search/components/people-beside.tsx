/** On wide screens, beside what was found of another kind: the best few people, and how to narrow the search. */
import { useQuery } from '@tanstack/react-query'
import { nameOf, unitOf } from '@/api/people/model'
import { peopleSearchQuery } from '@/api/people/queries'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PersonLine } from '@/components/ui/person-line'
import { paths } from '@/config/paths'
import { copy } from '../copy'

const most = 3

interface Props {
  memberId: string
  term: string
  onAll: () => void
}

export function PeopleBeside({ memberId, term, onAll }: Props) {
  const people = useQuery(peopleSearchQuery(memberId, term)).data ?? []
  return (
    <aside aria-label={copy.beside} className="grid grid-cols-1 gap-4">
      {people.length > 0 && (
        <Card>
          <section aria-label={copy.tabs.people} className="grid grid-cols-1 gap-2 p-5">
            <div className="flex items-center justify-between gap-3">
              <h2 className="type-card">{copy.tabs.people}</h2>
              {people.length > most && (
                <Button
                  variant="quiet"
                  size="sm"
                  className="-my-1.5 -mr-3"
                  aria-label={copy.allOf(copy.tabs.people)}
                  onClick={onAll}
                >
                  {copy.seeAll}
                </Button>
              )}
            </div>
            <ul className="grid grid-cols-1 gap-3">
              {people.slice(0, most).map((person) => (
                <li key={person.id}>
                  <PersonLine
                    memberId={person.id}
                    name={nameOf(person)}
                    avatarUrl={person.avatar_url}
                    unit={unitOf(person)}
                    to={paths.profileOf(person.id)}
                  />
                </li>
              ))}
            </ul>
          </section>
        </Card>
      )}
      <Card>
        <section aria-label={copy.narrow} className="grid grid-cols-1 gap-2 p-5">
          <h2 className="type-card">{copy.narrow}</h2>
          <p className="text-small text-muted">{copy.narrowText}</p>
        </section>
      </Card>
    </aside>
  )
}
