/** The member's own card, beside the feed. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { nameOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Avatar } from '@/components/ui/avatar'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { copy } from '../copy'
import { useFigures } from '../use-figures'

const unit = 'line-clamp-2 text-small [overflow-wrap:anywhere] text-muted'

export function MeCard() {
  const memberId = useMemberId()
  const profile = useQuery(profileQuery(memberId))
  const me = profile.data
  const figures = useFigures(undefined).filter(({ label }) => label !== copy.figures.notifications)
  return (
    <Card>
      <section aria-label={copy.you}>
        <div className="grid grid-cols-1 gap-3 p-5">
          {profile.isPending ? (
            <>
              <Skeleton shape="avatar" className="size-14" />
              <Skeleton className="h-5 w-3/5" />
              <Skeleton className="h-4 w-4/5" />
            </>
          ) : (
            <>
              <Avatar memberId={memberId} name={me?.full_name} url={me?.avatar_url} size="lg" />
              <div className="min-w-0">
                <h2 className="type-card">
                  <Link to={paths.profile} className="line-clamp-3 [overflow-wrap:anywhere] hover:underline">
                    {nameOf(me)}
                  </Link>
                </h2>
                {me?.position && <p className={unit}>{me.position}</p>}
                {me?.department && <p className={unit}>{me.department}</p>}
              </div>
            </>
          )}
        </div>
        <ul className="divide-y divide-line border-t border-line px-5">
          {figures.map(({ label, to, value }) => (
            <li key={label}>
              <Link to={to} className="flex items-baseline justify-between gap-3 py-3 text-ui hover:underline">
                {label}
                <span className="text-[1.0625rem] type-figure">{value ?? '–'}</span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </Card>
  )
}
