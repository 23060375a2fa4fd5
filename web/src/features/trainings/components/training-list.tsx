/** Trainings by month (§12.5), by page. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { CalendarDays } from 'lucide-react'
import { useMemberId } from '@/api/session/auth-context'
import type { TrainingFilter } from '@/api/trainings/keys'
import { byMonth } from '@/api/trainings/model'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { useNow } from '@/lib/browser/use-now'
import { trainingsQuery } from '../api/queries'
import { copy } from '../copy'
import { TrainingRow } from './training-row'

export function TrainingList({ filter, onClear }: { filter: TrainingFilter; onClear: () => void }) {
  const memberId = useMemberId()
  const now = useNow()
  const found = useInfiniteQuery(trainingsQuery(memberId, filter))
  if (found.isPending) {
    return (
      <Loading label={copy.loading} className="grid gap-3">
        <Skeleton className="h-5 w-40" />
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} shape="card" className="h-24 w-full" />
        ))}
      </Loading>
    )
  }
  if (!found.data) {
    return (
      <Card>
        <Failed title={copy.failed} onRetry={() => void found.refetch()} />
      </Card>
    )
  }
  const trainings = found.data.pages.flat()
  if (trainings.length === 0) {
    const isFiltered = filter.where !== null || filter.kind !== null
    const words = isFiltered ? copy.empty.filtered : copy.empty[filter.tab]
    return (
      <Card>
        <EmptyState
          glyph={<CalendarDays />}
          title={words.title}
          action={isFiltered && <Button onClick={onClear}>{copy.clear}</Button>}
        >
          {words.text}
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      {byMonth(trainings).map(({ month, trainings: some }) => (
        <section key={month} aria-label={month}>
          <h2 className="mb-3 flex items-center gap-3 type-mark text-muted uppercase after:h-px after:grow after:bg-line">
            {month}
          </h2>
          <Card>
            <ul className="divide-y divide-line">
              {some.map((training) => (
                <TrainingRow key={training.id} training={training} memberId={memberId} now={now} />
              ))}
            </ul>
          </Card>
        </section>
      ))}
      {found.hasNextPage && <LoadMore of={found} label={copy.more} busyLabel={copy.loadingMore} />}
    </div>
  )
}
