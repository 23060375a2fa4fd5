/** Certifications that have expired or will soon. */
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router-dom'
import { byExpiry, expiringQuery, validityOf } from '@/api/profiles/certifications'
import { useMemberId } from '@/api/session/auth-context'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { formatDate } from '@/lib/format/dates'
import { copy } from '../copy'

const strings = copy.expiring

/** `quiet`: renders nothing when nothing expires. */
export function Expiring({ quiet = false, most = 3 }: { quiet?: boolean; most?: number }) {
  const certifications = useQuery(expiringQuery(useMemberId()))
  const today = new Date()
  const all = byExpiry(certifications.data ?? [], today)
  const expiring = all.slice(0, most)
  if (quiet && expiring.length === 0) return null
  return (
    <Card>
      <section aria-label={strings.title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        {!quiet && <h2 className="type-card">{strings.title}</h2>}
        {certifications.isPending ? (
          <Loading label={strings.loading} className="grid gap-2">
            <Skeleton className="h-6 w-32" />
            <Skeleton className="h-4 w-3/5" />
          </Loading>
        ) : certifications.data ? (
          expiring.length === 0 && <p className="text-ui text-muted">{strings.none}</p>
        ) : (
          <Failed title={strings.failed} onRetry={() => void certifications.refetch()} />
        )}
        {expiring.length > 0 && (
          <>
            <ul className="grid grid-cols-1 gap-4">
              {expiring.map(({ id, name, expires_on }) => {
                const validity = validityOf(expires_on, today)
                const day = formatDate(expires_on && `${expires_on}T12:00:00`)
                return (
                  <li key={id} className="grid grid-cols-1 justify-items-start gap-1">
                    <Badge variant={validity.kind === 'expired' ? 'destructive' : 'warning'}>
                      <TriangleAlert aria-hidden />
                      {validity.kind === 'soon' ? strings.soon(validity.days) : strings.expired}
                    </Badge>
                    <p className="max-w-full text-ui type-name [overflow-wrap:anywhere]">{name}</p>
                    <p className="text-small text-muted">
                      {validity.kind === 'expired' ? strings.since(day) : strings.until(day)}
                    </p>
                  </li>
                )
              })}
            </ul>
            <Link to={paths.profile} className="justify-self-start py-1 text-small link">
              {all.length > expiring.length ? strings.more(all.length - expiring.length) : strings.update}
            </Link>
          </>
        )}
      </section>
    </Card>
  )
}
