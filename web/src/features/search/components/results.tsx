/** One tab of the full page: people, or posts of one kind. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { Link } from 'react-router-dom'
import { nameOf, unitOf } from '@/api/people/model'
import { peopleSearchQuery } from '@/api/people/queries'
import { dateOf, isKind, kindNames, placeOf, timesOf, zoneName } from '@/api/trainings/model'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { PersonLine } from '@/components/ui/person-line'
import { Loading, PersonSkeleton, Skeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { useNow } from '@/lib/browser/use-now'
import { formatAgo } from '@/lib/format/dates'
import { type FoundPost, postsQuery, trainingsQuery } from '../api/queries'
import { copy } from '../copy'
import { pathOfPost, type PostTab, type Sort } from '../model'
import { Marked } from './marked'

const Nothing = () => (
  <EmptyState glyph={<SearchX />} title={copy.nothingHere}>
    {copy.nothingText}
  </EmptyState>
)

export function People({ memberId, term }: { memberId: string; term: string }) {
  const people = useQuery(peopleSearchQuery(memberId, term))
  if (people.isPending) {
    return (
      <Loading label={copy.loading}>
        <PersonSkeleton lines={['w-2/5', 'w-3/5']} />
      </Loading>
    )
  }
  if (people.isError) return <Failed title={copy.failed} onRetry={() => void people.refetch()} />
  if (people.data.length === 0) return <Nothing />
  return (
    <Card>
      <ul className="divide-y divide-line">
        {people.data.map((person) => (
          <li key={person.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
            <PersonLine
              memberId={person.id}
              name={nameOf(person)}
              avatarUrl={person.avatar_url}
              unit={unitOf(person)}
              to={paths.profileOf(person.id)}
              className="grow basis-64"
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function Trainings({ term }: { term: string }) {
  const found = useQuery(trainingsQuery(term))
  const now = useNow()
  if (found.isPending) {
    return (
      <Loading label={copy.loading} className="grid gap-4">
        {[0, 1, 2].map((i) => (
          <Skeleton key={i} shape="card" className="h-20 w-full" />
        ))}
      </Loading>
    )
  }
  if (!found.data) return <Failed title={copy.failed} onRetry={() => void found.refetch()} />
  if (found.data.length === 0) return <Nothing />
  return (
    <Card>
      <ul className="divide-y divide-line">
        {found.data.map((training) => (
          <li key={training.id} className="grid gap-1 p-4 md:p-5">
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
        ))}
      </ul>
    </Card>
  )
}

function Found({ post, now }: { post: FoundPost; now: Date }) {
  return (
    <li className="grid gap-1 p-4 md:p-5">
      <p className="text-small text-muted">
        {post.author_id && post.author_name ? (
          <Link to={paths.profileOf(post.author_id)} className="min-h-6 font-semibold text-ink hover:underline">
            {post.author_name}
          </Link>
        ) : (
          copy.anonymous
        )}{' '}
        · <time dateTime={post.created_at}>{formatAgo(post.created_at, now)}</time>
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
          <Marked text={post.excerpt} />
        ) : (
          <Link to={pathOfPost(post)} className="hover:underline">
            <Marked text={post.excerpt} />
          </Link>
        )}
      </p>
    </li>
  )
}

export function Posts({ term, area, sort }: { term: string; area: PostTab; sort: Sort }) {
  const found = useInfiniteQuery(postsQuery(term, area, sort))
  const now = useNow()
  if (found.isPending) {
    return (
      <Loading label={copy.loading} className="grid gap-4">
        {[0, 1, 2].map((i) => (
          <Skeleton key={i} shape="card" className="h-24 w-full" />
        ))}
      </Loading>
    )
  }
  if (!found.data) return <Failed title={copy.failed} onRetry={() => void found.refetch()} />
  const posts = found.data.pages.flat()
  if (posts.length === 0) return <Nothing />
  return (
    <>
      <Card>
        <ul className="divide-y divide-line">
          {posts.map((post) => (
            <Found key={post.id} post={post} now={now} />
          ))}
        </ul>
      </Card>
      {found.hasNextPage && <LoadMore of={found} label={copy.older} busyLabel={copy.loadingMore} />}
    </>
  )
}
