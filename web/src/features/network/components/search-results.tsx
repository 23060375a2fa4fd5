/** The members a search found, with the connection to each (§3.21, §5.13-18). */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { SearchX, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ConnectionsByMember } from '@/api/connections/model'
import { connectionsWithQuery } from '@/api/connections/queries'
import { nameOf, type Person, searchTerm, unitOf } from '@/api/people/model'
import { peopleSearchQuery } from '@/api/people/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { PersonLine } from '@/components/ui/person-line'
import { Skeleton, Loading, PersonSkeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { useFocusKept } from '@/lib/focus/use-focus-kept'
import { copy } from '../copy'
import { ConnectionActions } from './connection-actions'

function Row({ person, connections }: { person: Person; connections: ConnectionsByMember | undefined }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 md:px-5">
      <PersonLine
        memberId={person.id}
        name={nameOf(person)}
        avatarUrl={person.avatar_url}
        unit={unitOf(person)}
        to={paths.profileOf(person.id)}
        className="grow basis-full md:basis-64"
      />
      <div className="flex min-h-9 flex-wrap items-center gap-2 max-md:pl-13 md:min-h-8">
        {connections ? (
          <ConnectionActions
            other={{ otherId: person.id, profile: person, connection: connections[person.id] }}
            withState
          />
        ) : (
          <Skeleton className="h-8 w-24" />
        )}
      </div>
    </li>
  )
}

function PeopleList({ children }: { children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null)
  useFocusKept(list)
  return (
    <ul ref={list} className="divide-y divide-line">
      {children}
    </ul>
  )
}

function Waiting() {
  return (
    <Loading label={copy.search.loading} className="divide-y divide-line">
      {[0, 1, 2].map((i) => (
        <PersonSkeleton key={i} className="px-5 py-4" lines={['w-2/5', 'w-3/5']} />
      ))}
    </Loading>
  )
}

export function SearchResults() {
  const memberId = useMemberId()
  const [params, setParams] = useSearchParams()
  const term = searchTerm(params.get('q') ?? '')
  const query = peopleSearchQuery(memberId, term)
  const found = useQuery(query)
  const people = found.data ?? []
  const connections = useQuery(
    connectionsWithQuery(
      memberId,
      people.map((person) => person.id),
    ),
  )
  if (query.enabled === false) return null
  const clear = () =>
    setParams((old) => {
      old.delete('q')
      return old
    })

  let content: ReactNode
  if (found.isPending) content = <Waiting />
  else if (found.isError) {
    content = (
      <Failed title={copy.search.failed.title} onRetry={() => void found.refetch()}>
        {copy.search.failed.description}
      </Failed>
    )
  } else if (people.length === 0) {
    content = (
      <EmptyState glyph={<SearchX />} title={copy.search.none.title}>
        {copy.search.none.text(term)}
      </EmptyState>
    )
  } else {
    content = (
      <PeopleList>
        {people.map((person) => (
          <Row key={person.id} person={person} connections={connections.isError ? {} : connections.data} />
        ))}
      </PeopleList>
    )
  }
  return (
    <Card>
      <section aria-label={copy.search.results}>
        <header className="flex items-center justify-between gap-4 border-b border-line py-3 pr-3 pl-4 md:pl-5">
          <div className="min-w-0">
            <h2 className="mr-2 inline-block type-h2">{copy.search.results}</h2>
            <span
              role="status"
              className={clsx(
                'inline-block text-small [overflow-wrap:anywhere] text-muted tabular-nums',
                people.length === 0 && 'sr-only', // also shown below
              )}
            >
              {found.isSuccess && copy.search.matches(people.length, term)}
            </span>
          </div>
          <Button variant="quiet" size="sm" onClick={clear}>
            <X aria-hidden /> {copy.search.clear}
          </Button>
        </header>
        {content}
      </section>
    </Card>
  )
}
