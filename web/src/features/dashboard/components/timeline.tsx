/** When each of the member's certifications expires, over the next two years. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Link } from 'react-router-dom'
import { datedQuery } from '@/api/profiles/certifications'
import { useMemberId } from '@/api/session/auth-context'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { useNow } from '@/lib/browser/use-now'
import { formatDate } from '@/lib/format/dates'
import { copy } from '../copy'
import { spanOf } from '../model'

const strings = copy.expiring
const months = 24
/** From this share on, the date has no room beside its bar and stands in it. */
const widePercent = 70

export function Timeline() {
  const certifications = useQuery(datedQuery(useMemberId()))
  const now = useNow()
  return (
    <Card>
      <section aria-label={strings.title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <header className="flex items-baseline justify-between gap-3">
          <h2 className="type-card">{strings.title}</h2>
          <Link to={paths.profile} className="py-1 text-small link">
            {strings.edit}
          </Link>
        </header>
        {certifications.isPending ? (
          <Loading label={strings.loading} className="grid gap-2">
            <Skeleton className="h-6 w-4/5" />
            <Skeleton className="h-6 w-3/5" />
          </Loading>
        ) : !certifications.data ? (
          <Failed title={strings.failed} onRetry={() => void certifications.refetch()} />
        ) : certifications.data.length === 0 ? (
          <p className="text-ui text-muted">{strings.noDates}</p>
        ) : (
          <ul className="grid grid-cols-1 gap-3">
            {certifications.data.map(({ id, name, expires_on }) => {
              const { percent, soon, over } = spanOf(expires_on ?? '', now, months)
              const day = formatDate(`${expires_on ?? ''}T12:00:00`)
              const inside = percent > widePercent
              return (
                <li
                  key={id}
                  className="grid grid-cols-1 gap-x-4 gap-y-1 sm:grid-cols-[11rem_minmax(0,1fr)] sm:items-center"
                >
                  <b className="text-ui type-name [overflow-wrap:anywhere]">{name}</b>
                  <span className="flex h-6 items-center gap-2 text-small font-[600]">
                    <span
                      className={clsx(
                        'flex h-full items-center justify-end',
                        over ? 'w-1 border border-destructive-text' : soon ? 'bg-chart-1' : 'bg-chart-2',
                      )}
                      style={over ? undefined : { width: `${Math.max(1, percent)}%` }}
                    >
                      {inside && <span className="truncate px-2 text-surface">{day}</span>}
                    </span>
                    {!inside && (
                      <span className={clsx('whitespace-nowrap', over && 'text-destructive-text')}>
                        {over ? strings.over(day) : day}
                      </span>
                    )}
                  </span>
                </li>
              )
            })}
          </ul>
        )}
      </section>
    </Card>
  )
}
