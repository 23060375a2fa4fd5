/** One tab of the full page: people, or posts of one kind. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { peopleSearchQuery } from '@/api/people/queries'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { Loading, PersonSkeleton, Skeleton } from '@/components/ui/skeleton'
import { useNow } from '@/lib/browser/use-now'
import { postsQuery, trainingsQuery } from '../api/queries'
import { copy } from '../copy'
import type { PostTab, Sort } from '../model'
import { FoundEntry, FoundPerson, FoundTraining } from './found'

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
          <FoundPerson key={person.id} person={person} />
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
          <FoundTraining key={training.id} training={training} now={now} />
        ))}
      </ul>
    </Card>
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
            <FoundEntry key={post.id} post={post} now={now} />
          ))}
        </ul>
      </Card>
      {found.hasNextPage && <LoadMore of={found} label={copy.older} busyLabel={copy.loadingMore} />}
    </>
  )
}
