/** The queue of reports: a list, and the chosen one with its decision. The address carries the choice. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Link, useSearchParams } from 'react-router-dom'
import { Card } from '@/components/ui/card'
import { ListStates } from '@/features/admin-shared/components/list-states'
import { PageHeader } from '@/features/admin-shared/components/page-header'
import { formatAgo } from '@/lib/format/dates'
import { useNow } from '@/lib/browser/use-now'
import { appealsQuery, reportsQuery } from '../api/queries'
import { copy } from '../copy'
import { reasonsOf, titleOf } from '../model'
import { Appeals } from './appeals'
import { ReportDetail } from './report-detail'

export function ReportsPage() {
  const query = useQuery(reportsQuery)
  const now = useNow()
  const [params] = useSearchParams()
  const queue = query.data ?? []
  const appeals = useQuery(appealsQuery)
  const isEmpty = queue.length === 0 && appeals.data?.length === 0
  const chosen = queue.find(({ subject_id }) => subject_id === params.get('about')) ?? queue[0]
  return (
    <>
      <PageHeader title={copy.title} lead={queue[0] && copy.lead(queue[0].total)} />
      <ListStates inCard query={query} isEmpty={isEmpty} emptyTitle={copy.empty} emptyText={copy.emptyText}>
        {chosen ? (
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[16.5rem_minmax(0,1fr)]">
            <Card>
              <nav aria-label={copy.list}>
                <ul className="divide-y divide-line max-lg:max-h-72 max-lg:overflow-y-auto">
                  {queue.map((one) => (
                    <li key={`${one.subject_kind} ${one.subject_id}`}>
                      <Link
                        to={`?about=${one.subject_id}`}
                        replace
                        aria-current={one === chosen ? 'true' : undefined}
                        className={clsx(
                          'grid gap-1 border-l-4 p-3 focus-visible:-outline-offset-2',
                          one === chosen ? 'border-ember bg-ember-soft' : 'border-transparent hover:bg-sunken',
                        )}
                      >
                        <span className="flex items-start justify-between gap-2">
                          <b className="min-w-0">{copy.reasons[reasonsOf(one.reasons)[0]?.[0] ?? 'other']}</b>
                          <span className="shrink-0 text-small text-muted">{formatAgo(one.first_at, now)}</span>
                        </span>
                        <span className="truncate text-small text-muted">{titleOf(one)}</span>
                        <span className="line-clamp-2 text-small [overflow-wrap:anywhere]">“{one.excerpt}”</span>
                        {one.reports > 1 && <span className="text-small font-semibold">{copy.times(one.reports)}</span>}
                      </Link>
                    </li>
                  ))}
                </ul>
              </nav>
            </Card>
            <ReportDetail key={`${chosen.subject_kind} ${chosen.subject_id}`} reported={chosen} />
          </div>
        ) : (
          <p className="text-muted">{copy.emptyBesides}</p>
        )}
      </ListStates>
      <Appeals />
    </>
  )
}
