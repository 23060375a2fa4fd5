/** The first tab: the best few of each kind, each with the way to all of its kind. */
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { useNow } from '@/lib/browser/use-now'
import { fewQuery } from '../api/queries'
import { copy } from '../copy'
import type { KindTab } from '../model'
import { FoundEntry, FoundPerson, FoundTraining } from './found'

interface GroupProps {
  kind: KindTab
  onAll: (kind: KindTab) => void
  children: ReactNode[]
}

function Group({ kind, onAll, children }: GroupProps) {
  const heading = useId()
  if (children.length === 0) return null
  return (
    <section aria-labelledby={heading} className="grid grid-cols-1 gap-2">
      <div className="flex items-center justify-between gap-4">
        <h2 id={heading} className="type-h2">
          {copy.tabs[kind]}
        </h2>
        <Button variant="quiet" size="sm" aria-label={copy.allOf(copy.tabs[kind])} onClick={() => onAll(kind)}>
          {copy.seeAll}
        </Button>
      </div>
      <Card>
        <ul className="divide-y divide-line">{children}</ul>
      </Card>
    </section>
  )
}

export function Everything({ term, onAll }: { term: string; onAll: (kind: KindTab) => void }) {
  const found = useQuery(fewQuery(term))
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
  const { people, trainings, posts } = found.data
  if (people.length + trainings.length + posts.reduce((sum, { rows }) => sum + rows.length, 0) === 0) {
    return (
      <EmptyState glyph={<SearchX />} title={copy.nothing(term)}>
        {copy.nothingText}
      </EmptyState>
    )
  }
  const entries = (area: KindTab) => posts.find((group) => group.area === area)?.rows ?? []
  const group = (kind: 'posts' | 'lessons' | 'articles') => (
    <Group kind={kind} onAll={onAll}>
      {entries(kind).map((post) => (
        <FoundEntry key={post.id} post={post} now={now} />
      ))}
    </Group>
  )
  return (
    <div className="grid grid-cols-1 gap-6">
      <Group kind="people" onAll={onAll}>
        {people.map((person) => (
          <FoundPerson key={person.id} person={person} />
        ))}
      </Group>
      {group('lessons')}
      {group('posts')}
      <Group kind="trainings" onAll={onAll}>
        {trainings.map((training) => (
          <FoundTraining key={training.id} training={training} now={now} />
        ))}
      </Group>
      {group('articles')}
    </div>
  )
}
