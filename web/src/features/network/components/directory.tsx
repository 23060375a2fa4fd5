/** Find people: the members who match the filters, those near first; the address carries the filters (§11.6, §11.7). */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router-dom'
import { SlidersHorizontal, UserSearch, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { ConnectionsByMember } from '@/api/connections/model'
import { connectionsWithQuery } from '@/api/connections/queries'
import { useReasons } from '@/api/people/use-reasons'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { PersonLine } from '@/components/ui/person-line'
import { Loading, PersonSkeleton, Skeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { useFocusKept } from '@/lib/focus/use-focus-kept'
import { states } from '@/lib/format/states'
import { useIsWide } from '@/lib/browser/use-is-wide'
import { directoryCountsQuery, directoryQuery, type Listed } from '../api/directory'
import {
  type Counts,
  type Facet,
  facets,
  type Filters,
  filtersOf,
  labelOf,
  withFilter,
  withoutFilters,
} from '../directory'
import { copy } from '../directory-copy'
import { ConnectionActions } from './connection-actions'
import { DirectoryFilters } from './directory-filters'

const unitOf = ({ rank, department, state }: Listed) =>
  [rank, department, states[state ?? '']].filter((part) => part?.trim()).join(' · ')

interface RowProps {
  person: Listed
  connections: ConnectionsByMember | undefined
  reason: string | null
}

function Row({ person, connections, reason }: RowProps) {
  const profile = { ...person, position: person.rank }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3 hover:bg-bg md:px-5">
      <PersonLine
        memberId={person.id}
        name={person.full_name}
        avatarUrl={person.avatar_url}
        unit={unitOf(person)}
        reason={reason}
        to={paths.profileOf(person.id)}
        className="grow basis-56"
      />
      <div className="flex min-h-9 flex-wrap items-center gap-2 max-md:pl-13 md:min-h-8">
        {connections ? (
          <ConnectionActions other={{ otherId: person.id, profile, connection: connections[person.id] }} />
        ) : (
          <Skeleton className="h-8 w-24" />
        )}
      </div>
    </li>
  )
}

const asked = 24

/** The connections of so many members are asked for at a time: the request is an address, and addresses are short. */
const chunksOf = (rows: readonly Listed[]) =>
  Array.from({ length: Math.ceil(rows.length / asked) }, (_, at) => rows.slice(at * asked, (at + 1) * asked))

/** Some members, with what connects them to the reader. */
function Rows({ people }: { people: readonly Listed[] }) {
  const list = useRef<HTMLUListElement>(null)
  const reasonOf = useReasons(people)
  useFocusKept(list)
  const connections = useQuery(
    connectionsWithQuery(
      useMemberId(),
      people.map(({ id }) => id),
    ),
  )
  return (
    <ul ref={list} className="divide-y divide-line">
      {people.map((person) => (
        <Row
          key={person.id}
          person={person}
          connections={connections.isError ? {} : connections.data}
          reason={reasonOf(person)}
        />
      ))}
    </ul>
  )
}

/** The list in groups: the own state, its neighbors, the others. Without a state there is one group without a name. */
function People({ people, state }: { people: readonly Listed[]; state: string | null }) {
  const groups = [0, 1, 2]
    .map((nearness) => ({ nearness, rows: people.filter((person) => person.nearness === nearness) }))
    .filter(({ rows }) => rows.length > 0)
  return groups.map(({ nearness, rows }) => {
    const title =
      nearness === 0
        ? copy.near[0](states[state ?? ''] ?? '')
        : nearness === 1
          ? copy.near[1]()
          : copy.near[2](groups.length > 1)
    return (
      <Card key={nearness}>
        <section aria-label={title} className="divide-y divide-line">
          <h2 className="px-4 py-3 type-card md:px-5">{title}</h2>
          {chunksOf(rows).map((some) => (
            <Rows key={some[0]?.id} people={some} />
          ))}
        </section>
      </Card>
    )
  })
}

interface Choice {
  filters: Filters
  counts: Counts | undefined
  onFilter: (facet: Facet, value: string | null) => void
  onClear: () => void
}

/** On the phone: all filters in a sheet, whose button says how many members it shows. */
function FilterSheet({ filters, counts, onFilter, onClear }: Choice) {
  const [open, setOpen] = useState(false)
  const chosen = Object.keys(filters).length
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="sm" className="shrink-0 max-md:h-11" aria-label={copy.filtersChosen(chosen)}>
          <SlidersHorizontal aria-hidden /> {copy.filters}
        </Button>
      </DialogTrigger>
      <DialogContent title={copy.filters} description={copy.filtersText} className="h-full">
        <DirectoryFilters filters={filters} counts={counts} onFilter={onFilter} />
        <div className="sticky -bottom-6 -mx-6 mt-4 flex gap-3 border-t border-line bg-raised px-6 pt-3 pb-4">
          {chosen > 0 && (
            <Button variant="quiet" onClick={onClear}>
              {copy.clear(chosen)}
            </Button>
          )}
          <DialogClose asChild>
            <Button variant="primary" className="grow">
              {copy.show(counts?.total ?? 0)}
            </Button>
          </DialogClose>
        </div>
      </DialogContent>
    </Dialog>
  )
}

function Chosen({ filters, counts, onFilter }: Omit<Choice, 'onClear'>) {
  const chosen = facets.flatMap((facet) => (filters[facet] === undefined ? [] : [{ facet, value: filters[facet] }]))
  return chosen.map(({ facet, value }) => {
    const name = labelOf(counts, facet, value)
    const label = facet === 'mentor' ? copy.mentorOn(name) : name
    return (
      <li key={facet} className="max-w-full shrink-0">
        <button
          type="button"
          aria-label={copy.remove(label)}
          onClick={() => onFilter(facet, null)}
          className="flex min-h-11 max-w-full items-center gap-1.5 rounded-control border border-ember bg-ember-soft px-3 text-small font-semibold text-ember-text md:min-h-9"
        >
          <span className="max-w-64 truncate">{label}</span>
          <X aria-hidden className="size-4 shrink-0" />
        </button>
      </li>
    )
  })
}

function Waiting() {
  return (
    <Loading label={copy.loading}>
      <Card className="divide-y divide-line">
        {[0, 1, 2, 3].map((i) => (
          <PersonSkeleton key={i} className="px-5 py-4" lines={['w-2/5', 'w-3/5']} />
        ))}
      </Card>
    </Loading>
  )
}

export function Directory() {
  const memberId = useMemberId()
  const wide = useIsWide()
  const [params, setParams] = useSearchParams()
  const filters = filtersOf(params)
  const chosen = Object.keys(filters).length
  const found = useInfiniteQuery(directoryQuery(memberId, filters))
  const counted = useQuery(directoryCountsQuery(memberId, filters))
  const state = useQuery(profileQuery(memberId)).data?.state
  const counts = counted.data
  const change = (next: (old: URLSearchParams) => URLSearchParams) => setParams(next, { preventScrollReset: true })
  const choice: Choice = {
    filters,
    counts,
    onFilter: (facet, value) => change((old) => withFilter(old, facet, value)),
    onClear: () => change(withoutFilters),
  }
  const people = found.data?.pages.flat() ?? []

  let content: ReactNode
  if (found.isPending) content = <Waiting />
  else if (!found.data) {
    content = (
      <Card>
        <Failed title={copy.failed.title} onRetry={() => void found.refetch()}>
          {copy.failed.text}
        </Failed>
      </Card>
    )
  } else if (people.length === 0) {
    const strings = chosen > 0 ? copy.none : copy.empty
    content = (
      <Card>
        <EmptyState
          glyph={<UserSearch />}
          title={strings.title}
          action={chosen > 0 && <Button onClick={choice.onClear}>{copy.clear(chosen)}</Button>}
        >
          {strings.text}
        </EmptyState>
      </Card>
    )
  } else {
    content = (
      <>
        <People people={people} state={state ?? null} />
        {found.hasNextPage && <LoadMore of={found} label={copy.next} busyLabel={copy.loadingNext} manual />}
      </>
    )
  }
  return (
    <div className="grid grid-cols-1 items-start gap-5 min-[1100px]:grid-cols-[13.5rem_minmax(0,1fr)]">
      {wide && (
        <aside aria-label={copy.filters}>
          <Card className="p-4">
            <header className="flex min-h-6 items-center justify-between gap-2">
              <h2 className="type-card">{copy.filters}</h2>
              {chosen > 0 && (
                <button
                  type="button"
                  onClick={choice.onClear}
                  className="min-h-6 text-small font-semibold text-ember-text hover:underline"
                >
                  {copy.clear(chosen)}
                </button>
              )}
            </header>
            {counted.isError && <p className="pt-2 text-small text-destructive-text">{copy.countsFailed}</p>}
            <DirectoryFilters {...choice} />
          </Card>
        </aside>
      )}
      <section aria-label={copy.list} className="grid min-w-0 grid-cols-1 gap-3">
        {(!wide || chosen > 0) && (
          <ul aria-label={copy.filters} className="flex [scrollbar-width:none] gap-2 overflow-x-auto py-1">
            {!wide && (
              <li>
                <FilterSheet {...choice} />
              </li>
            )}
            <Chosen {...choice} />
          </ul>
        )}
        <p role="status" className="min-h-5 text-small text-muted">
          {counts && people.length > 0 && (
            <>
              <b className="font-semibold text-ink">{copy.people(counts.total)}</b>
              {people.length < counts.total && `, ${copy.shown(people.length, counts.total)}`}
            </>
          )}
        </p>
        {state === null && (
          <p className="text-small text-muted">
            {copy.noState}{' '}
            <Link to={paths.profile} className="font-semibold text-ember-text hover:underline">
              {copy.toProfile}
            </Link>
          </p>
        )}
        {content}
      </section>
    </div>
  )
}
