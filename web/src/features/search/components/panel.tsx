/** The first of each kind below the search field, as options of its list (§11.1). */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { nameOf, unitOf } from '@/api/people/model'
import { dateOf, placeOf } from '@/api/trainings/model'
import { Avatar } from '@/components/ui/avatar'
import { paths } from '@/config/paths'
import { useNow } from '@/lib/browser/use-now'
import { countsQuery, fewQuery } from '../api/queries'
import { copy } from '../copy'
import { countLabel, excerptOf, pathOfPost } from '../model'
import { Marked } from './marked'

interface Props {
  id: string
  term: string
  /** Index of the option that the arrow keys chose; -1 for none. */
  active: number
  /** Receives where each option leads, in order. */
  onOptions: (targets: string[]) => void
  onChosen: () => void
}

const option = 'grid min-h-11 content-center rounded-control px-3 py-1.5 text-ui hover:bg-sunken'

export default function Panel({ id, term, active, onOptions, onChosen }: Props) {
  const found = useQuery(fewQuery(term))
  const counts = useQuery(countsQuery(term)).data
  const people = found.data?.people ?? []
  const trainings = found.data?.trainings ?? []
  const now = useNow()
  const groups = (found.data?.posts ?? []).filter(({ rows }) => rows.length > 0)
  const all = `${paths.search}?q=${encodeURIComponent(term)}`
  const targets = [
    ...people.map((person) => paths.profileOf(person.id)),
    ...groups.flatMap(({ rows }) => rows.map(pathOfPost)),
    ...trainings.map(({ id: training }) => paths.training(training)),
    all,
  ]
  const joined = targets.join('\n')
  useEffect(() => onOptions(joined.split('\n')), [joined, onOptions])
  const starts = groups.map((_, group) =>
    groups.slice(0, group).reduce((sum, { rows }) => sum + rows.length, people.length),
  )
  const props = (to: string, at: number) => {
    return {
      id: `${id}-${at}`,
      to,
      role: 'option' as const,
      'aria-selected': at === active,
      tabIndex: -1,
      onClick: onChosen,
      className: clsx(option, at === active && 'bg-sunken outline-2 -outline-offset-2 outline-focus'),
    }
  }
  const isEmpty = found.isSuccess && people.length === 0 && groups.length === 0 && trainings.length === 0
  return (
    <div
      id={id}
      role="listbox"
      aria-label={copy.results}
      aria-busy={found.isFetching}
      className="max-h-[70dvh] overflow-y-auto rounded-dialog border border-line bg-raised p-1.5 text-ink shadow-pop"
    >
      {found.isPending && <p className="px-3 py-2 text-small text-muted">{copy.loading}</p>}
      {found.isError && <p className="px-3 py-2 text-small text-destructive-text">{copy.failed}</p>}
      {isEmpty && <p className="px-3 py-2 text-small text-muted">{copy.nothing(term)}</p>}
      {people.length > 0 && (
        <div role="group" aria-label={copy.tabs.people}>
          <p aria-hidden className="px-3 pt-2 pb-1 text-small font-semibold text-muted">
            {copy.tabs.people}
          </p>
          {people.map((person, at) => (
            <Link key={person.id} {...props(paths.profileOf(person.id), at)}>
              <span className="flex min-w-0 items-center gap-3">
                <Avatar memberId={person.id} name={nameOf(person)} url={person.avatar_url} size="sm" />
                <span className="min-w-0">
                  <span className="block truncate font-semibold">{nameOf(person)}</span>
                  <span className="block truncate text-small text-muted">{unitOf(person)}</span>
                </span>
              </span>
            </Link>
          ))}
        </div>
      )}
      {groups.map(({ area, rows }, group) => (
        <div key={area} role="group" aria-label={copy.tabs[area]}>
          <p aria-hidden className="flex justify-between px-3 pt-2 pb-1 text-small font-semibold text-muted">
            {copy.tabs[area]} <span className="font-normal">{countLabel(counts?.get(area))}</span>
          </p>
          {rows.map((post, at) => (
            <Link key={post.id} {...props(pathOfPost(post), (starts[group] ?? 0) + at)}>
              <span className="truncate font-semibold">
                <Marked text={post.title ?? excerptOf(post)} />
              </span>
              <span className="truncate text-small text-muted">{post.author_name ?? copy.anonymous}</span>
            </Link>
          ))}
        </div>
      ))}
      {trainings.length > 0 && (
        <div role="group" aria-label={copy.tabs.trainings}>
          <p aria-hidden className="flex justify-between px-3 pt-2 pb-1 text-small font-semibold text-muted">
            {copy.tabs.trainings} <span className="font-normal">{countLabel(counts?.get('trainings'))}</span>
          </p>
          {trainings.map((training, at) => (
            <Link key={training.id} {...props(paths.training(training.id), targets.length - 1 - trainings.length + at)}>
              <span className="truncate font-semibold">{training.title}</span>
              <span className="truncate text-small text-muted">
                {dateOf(training.starts_at, training.time_zone, now)} · {placeOf(training)}
              </span>
            </Link>
          ))}
        </div>
      )}
      <Link {...props(all, targets.length - 1)}>
        <span className="font-semibold text-ember-text">{copy.all(term)}</span>
      </Link>
    </div>
  )
}
