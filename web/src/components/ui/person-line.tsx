/** A member in a list: avatar, name with a link to the profile, a second line, and what they have in common with the reader. */
import clsx from 'clsx'
import { UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from './avatar'

interface Props {
  memberId: string
  name: string
  avatarUrl?: string | null | undefined
  /** Second line. */
  unit?: ReactNode
  /** Third line: what the reader has in common with them. */
  reason?: string | null
  to?: string
  size?: 'sm' | 'md' | 'lg'
  className?: string
}

export function PersonLine({ memberId, name, avatarUrl, unit, reason, to, size = 'md', className }: Props) {
  return (
    <div data-slot="person" className={clsx('flex min-w-0 items-center gap-3', className)}>
      <Avatar memberId={memberId} name={name} url={avatarUrl} size={size} />
      <div className="min-w-0 grow">
        {to ? (
          <Link
            to={to}
            dir="auto"
            className="line-clamp-2 min-h-6 text-left type-name [overflow-wrap:anywhere] hover:underline"
            title={name}
          >
            {name}
          </Link>
        ) : (
          <span dir="auto" className="line-clamp-2 text-left type-name [overflow-wrap:anywhere]">
            {name}
          </span>
        )}
        {unit && (
          <span dir="auto" className="line-clamp-3 text-left text-small [overflow-wrap:anywhere] text-muted">
            {unit}
          </span>
        )}
        {reason && (
          <span className="flex items-center gap-1.5 text-small text-muted">
            <UsersRound aria-hidden className="size-3.5 shrink-0" />
            {reason}
          </span>
        )}
      </div>
    </div>
  )
}
