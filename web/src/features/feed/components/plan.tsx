/** When and where a training or project takes place, and its link. */
import { ExternalLink } from 'lucide-react'
import { Link } from 'react-router-dom'
import { LinkButton } from '@/components/ui/button'
import { formatSpan } from '@/lib/format/dates'
import { copy } from '../copy'
import { isLink, type Post } from '../model'
import { DateTile } from './date-tile'

export function Plan({ post }: { post: Post }) {
  const { starts_at, ends_at, location, link } = post
  const away = link && isLink(link) ? { to: link, target: '_blank', rel: 'noopener noreferrer nofollow' } : null
  const open = (
    <>
      {copy.actions.details} <ExternalLink aria-hidden className="size-4" />
    </>
  )
  if (!starts_at && !location) {
    return (
      away && (
        <Link {...away} className="inline-flex min-h-6 items-center gap-1.5 justify-self-start text-small link">
          {open}
        </Link>
      )
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control border border-line bg-bg px-4 py-3">
      {starts_at && <DateTile value={starts_at} />}
      <p className="min-w-0 grow basis-40 text-small">
        {starts_at && <span className="block type-name">{formatSpan(starts_at, ends_at)}</span>}
        {location && <span className="block [overflow-wrap:anywhere] text-muted">{location}</span>}
      </p>
      {away && (
        <LinkButton {...away} size="sm" className="max-sm:w-full">
          {open}
        </LinkButton>
      )}
    </div>
  )
}
