/** The certification that expires first, with the days that are left. Renders nothing when none does soon. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Link } from 'react-router-dom'
import { datedQuery, soonDays, toRenew, validityOf } from '@/api/profiles/certifications'
import { useMemberId } from '@/api/session/auth-context'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { useNow } from '@/lib/browser/use-now'
import { formatDate, formatNearDay } from '@/lib/format/dates'
import { copy } from '../copy'

const strings = copy.expiring

/** Time that is left, of the 90 days in which it is shown. Decorative: the words beside it say it. */
function LifeBar({ days }: { days: number }) {
  return (
    <span
      aria-hidden
      className={clsx('block h-1.5 overflow-hidden', days < 0 ? 'border border-destructive-text' : 'bg-line')}
    >
      <i
        className="block h-full origin-left slant bg-ember"
        style={{ width: `${Math.round((Math.max(0, days) / soonDays) * 100)}%` }}
      />
    </span>
  )
}

function useExpiresNext() {
  const rows = useQuery(datedQuery(useMemberId())).data ?? []
  const today = useNow()
  const all = toRenew(rows, today)
  const next = all[0]
  if (!next) return null
  const validity = validityOf(next.expires_on, today)
  const days = validity.kind === 'soon' ? validity.days : -1
  return { all, next, days, day: new Date(`${next.expires_on ?? ''}T12:00:00`) }
}

/** The same in one row, for the feed on a phone. */
export function ExpiresStrip() {
  const found = useExpiresNext()
  if (!found) return null
  const { next, days, day } = found
  return (
    <Card>
      <Link to={`${paths.profile}?certification=${next.id}`} className="grid gap-2 p-4">
        <span className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 text-small text-muted">
            <b className="text-ui type-name [overflow-wrap:anywhere] text-ink">{next.name}</b>{' '}
            {strings.on(formatNearDay(day), days < 0)}
          </span>
          <span className="shrink-0 type-figure">{strings.left(days)}</span>
        </span>
        <LifeBar days={days} />
      </Link>
    </Card>
  )
}

export function ExpiresNext() {
  const found = useExpiresNext()
  if (!found) return null
  const { all, next, days, day } = found
  return (
    <Card>
      <section aria-label={strings.next} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <header className="flex items-baseline justify-between gap-3">
          <h2 className="type-card">{strings.next}</h2>
          {all.length > 1 && (
            <Link to={paths.dashboard} className="py-1 text-small link">
              {strings.all(all.length)}
            </Link>
          )}
        </header>
        <p className="flex items-baseline justify-between gap-3">
          <b className="min-w-0 text-ui type-name [overflow-wrap:anywhere]">{next.name}</b>
          <span className="shrink-0 text-[1.0625rem] type-figure">{strings.left(days)}</span>
        </p>
        <LifeBar days={days} />
        <p className="text-small text-muted">
          {[next.issuer, strings.on(formatDate(day), days < 0)].filter(Boolean).join(' · ')}
        </p>
        <Link to={`${paths.profile}?certification=${next.id}`} className="justify-self-start py-1 text-small link">
          {strings.update}
        </Link>
      </section>
    </Card>
  )
}
