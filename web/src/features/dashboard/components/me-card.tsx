/** The member's own card, beside the feed: who they are, the way to the dashboard, and what others found useful. */
import { useQuery } from '@tanstack/react-query'
import { Bookmark, CalendarDays, LayoutDashboard, Settings, Target, UserRound } from 'lucide-react'
import { Link } from 'react-router-dom'
import { nameOf } from '@/api/people/model'
import { missingParts, profileParts } from '@/api/profiles/completeness'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Cover } from '@/components/art/cover'
import { Avatar } from '@/components/ui/avatar'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { copy } from '../copy'

const unit = 'text-small [overflow-wrap:anywhere] text-muted'

export function MeCard() {
  const memberId = useMemberId()
  const profile = useQuery(profileQuery(memberId))
  const me = profile.data
  const filled = me && profileParts.length - missingParts(me).length
  const places = [
    { label: copy.title, to: paths.dashboard, Icon: LayoutDashboard },
    {
      label: copy.profile.title,
      to: paths.profile,
      Icon: UserRound,
      detail:
        filled === undefined || filled === null || filled === profileParts.length
          ? null
          : copy.profile.part(filled, profileParts.length),
    },
    { label: copy.plan, to: paths.plan, Icon: Target },
    { label: copy.trainings, to: paths.trainings, Icon: CalendarDays },
    { label: copy.saved, to: paths.saved, Icon: Bookmark },
    { label: copy.settings, to: paths.settings, Icon: Settings },
  ]
  return (
    <Card className="overflow-hidden">
      <section aria-label={copy.you}>
        <div className="h-14 bg-bar">
          <Cover slug={memberId} className="size-full" />
        </div>
        <div className="-mt-8 grid grid-cols-1 gap-2 px-5 pb-4">
          {profile.isPending ? (
            <>
              <Skeleton shape="avatar" className="size-14" />
              <Skeleton className="h-5 w-3/5" />
              <Skeleton className="h-4 w-4/5" />
            </>
          ) : (
            <>
              <Avatar
                memberId={memberId}
                name={me?.full_name}
                url={me?.avatar_url}
                size="lg"
                className="border-2 border-surface"
              />
              <div className="min-w-0">
                <h2 className="type-card">
                  <Link to={paths.profile} className="line-clamp-3 min-h-6 [overflow-wrap:anywhere] hover:underline">
                    {nameOf(me)}
                  </Link>
                </h2>
                {me?.position && <p className={unit}>{me.position}</p>}
                {me?.department && <p className={unit}>{me.department}</p>}
              </div>
            </>
          )}
        </div>
        <ul className="border-t border-line px-2 py-2">
          {places.map(({ label, to, Icon, detail }) => (
            <li key={label}>
              <Link
                to={to}
                className="flex min-h-10 items-center gap-3 rounded-control px-3 text-ui font-[560] hover:bg-sunken"
              >
                <Icon aria-hidden className="size-4.5 text-muted" />
                {label}
                {detail && <span className="ml-auto text-small font-normal text-muted tabular-nums">{detail}</span>}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </Card>
  )
}
