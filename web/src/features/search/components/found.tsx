/** What was found: a row each, as items of a list. */
import { Link } from 'react-router-dom'
import { nameOf, unitOf } from '@/api/people/model'
import { dateOf, isKind, kindNames, placeOf, timesOf, zoneName } from '@/api/trainings/model'
import { Badge } from '@/components/ui/badge'
import { PersonLine } from '@/components/ui/person-line'
import { paths } from '@/config/paths'
import { formatAgo } from '@/lib/format/dates'
import type { FoundPost, foundTrainings } from '../api/queries'
import { copy } from '../copy'
import { excerptOf, isPostKind, pathOfPost } from '../model'
import { Marked } from './marked'

type Person = Parameters<typeof nameOf>[0] & Parameters<typeof unitOf>[0] & { id: string; avatar_url: string | null }
type Training = Awaited<ReturnType<typeof foundTrainings>>[number]

export function FoundPerson({ person }: { person: Person }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
      <PersonLine
        memberId={person.id}
        name={nameOf(person)}
        avatarUrl={person.avatar_url}
        unit={unitOf(person)}
        to={paths.profileOf(person.id)}
        className="grow basis-64"
      />
    </li>
  )
}

export function FoundTraining({ training, now }: { training: Training; now: Date }) {
  return (
    <li className="grid gap-1 p-4 md:p-5">
      <p className="text-small text-muted">
        {isKind(training.kind) && <>{kindNames[training.kind]} · </>}
        {dateOf(training.starts_at, training.time_zone, now)}, {timesOf(training, now)} {zoneName(training)}
      </p>
      <h2 dir="auto" className="type-card [overflow-wrap:anywhere]">
        <Link to={paths.training(training.id)} className="hover:underline">
          {training.title}
        </Link>
      </h2>
      <p className="[overflow-wrap:anywhere]">{placeOf(training)}</p>
    </li>
  )
}

export function FoundEntry({ post, now }: { post: FoundPost; now: Date }) {
  return (
    <li className="grid gap-1 p-4 md:p-5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-muted">
        {isPostKind(post.kind) && !post.slug && <Badge variant={post.kind}>{copy.postKinds[post.kind]}</Badge>}
        <span>
          {post.author_id && post.author_name ? (
            <Link to={paths.profileOf(post.author_id)} className="min-h-6 font-semibold text-ink hover:underline">
              {post.author_name}
            </Link>
          ) : (
            copy.anonymous
          )}{' '}
          · <time dateTime={post.created_at}>{formatAgo(post.created_at, now)}</time>
        </span>
      </p>
      {post.title && (
        <h2 dir="auto" className="type-card [overflow-wrap:anywhere]">
          <Link to={pathOfPost(post)} className="hover:underline">
            <Marked text={post.title} />
          </Link>
        </h2>
      )}
      <p dir="auto" className="line-clamp-3 [overflow-wrap:anywhere]">
        {post.title ? (
          <Marked text={excerptOf(post)} />
        ) : (
          <Link to={pathOfPost(post)} className="hover:underline">
            <Marked text={excerptOf(post)} />
          </Link>
        )}
      </p>
    </li>
  )
}
