/** The audit log of admin actions, newest first, by page: of one member, or of everything, filtered by area. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LinkButton } from '@/components/ui/button'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { FilterSelect } from '@/features/admin-shared/components/filter-select'
import { adminCopy } from '@/features/admin-shared/copy'
import { useNow } from '@/lib/browser/use-now'
import { formatDate, formatDay } from '@/lib/format/dates'
import { type AuditEntry, type AuditFilter, auditLogQuery } from '../api/queries'
import { copy } from '../copy'

/** Both lists have a status 'pending', with different meanings. */
const statuses: Record<string, Record<string, string>> = {
  waitlist: adminCopy.waitlistStatuses,
  feedback: adminCopy.feedbackStatuses,
}
const auditPath = '/admin/audit'
const hourOf = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

function Line({
  entry: { action, area, actor_email, member_email, subject, detail, created_at },
}: {
  entry: AuditEntry
}) {
  return (
    <li className="flex justify-between gap-x-4 py-2.5">
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <b className="type-name">{actor_email ?? copy.operators}</b> {copy.auditActions[action] ?? action}{' '}
        {member_email ?? subject}
        {detail && <span className="text-muted"> ({statuses[area]?.[detail] ?? detail})</span>}
      </span>
      <time dateTime={created_at} title={formatDate(created_at)} className="shrink-0 text-muted tabular-nums">
        {hourOf.format(new Date(created_at))}
      </time>
    </li>
  )
}

/** Entries under their day, in their order. */
function byDay(entries: readonly AuditEntry[], now: Date): [string, AuditEntry[]][] {
  const days = new Map<string, AuditEntry[]>()
  for (const entry of entries) {
    const day = formatDay(entry.created_at, now)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}

/** The entries of a filter, by day and page. */
export function AuditLines({ filter }: { filter: AuditFilter }) {
  const entries = useInfiniteQuery(auditLogQuery(filter))
  const now = useNow()
  if (entries.isPending) {
    return (
      <Loading label={adminCopy.loading}>
        <Skeleton className="h-16" />
      </Loading>
    )
  }
  if (entries.isError && !entries.data)
    return <Failed title={adminCopy.failed} onRetry={() => void entries.refetch()} />
  const found = entries.data.pages.flat()
  if (found.length === 0) return <p className="py-2 text-small text-muted">{copy.noActs}</p>
  return (
    <>
      {byDay(found, now).map(([day, some]) => (
        <section key={day} aria-label={day} className="text-small">
          <p aria-hidden className="mt-3 border-b border-line pb-1.5 type-mark text-muted">
            {day}
          </p>
          <ol className="divide-y divide-line">
            {some.map((entry) => (
              <Line key={entry.id} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
      {entries.hasNextPage && <LoadMore manual of={entries} label={copy.more} busyLabel={copy.loadingMore} />}
    </>
  )
}

export function AuditLog({ memberId = null }: { memberId?: string | null }) {
  const [area, setArea] = useState('')
  return (
    <>
      {memberId === null && (
        <div className="flex flex-wrap items-center justify-end gap-3 py-2">
          <FilterSelect label={copy.area} value={area} options={Object.entries(copy.areas)} onChoose={setArea} />
          <LinkButton to={auditPath} size="sm">
            {copy.wholeLog}
          </LinkButton>
        </div>
      )}
      <AuditLines filter={{ memberId, area }} />
    </>
  )
}
