/** The author, date and kind of a post. */
import { Radio } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { unitOf } from '@/api/people/model'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { paths } from '@/config/paths'
import { formatAgo } from '@/lib/format/dates'
import { copy } from '../copy'
import { authorName, kindOf, type Post, wasEdited } from '../model'
import { KindIcon } from './kind-icon'

/** `menu`: the author's actions. */
export function PostHeader({ post, now, menu }: { post: Post; now: Date; menu: ReactNode }) {
  const kind = kindOf(post.kind)
  const name = authorName(post)
  const unit = unitOf(post.author)
  return (
    <header className="flex items-start gap-x-3">
      <Avatar memberId={post.user_id ?? ''} name={name} url={post.author?.avatar_url} />
      <p className="min-w-0 grow text-small text-muted">
        {post.author ? (
          <Link
            to={paths.profileOf(post.author.id)}
            className="block min-h-6 truncate text-body type-name text-ink hover:underline"
          >
            {name}
          </Link>
        ) : (
          <b className="block truncate text-body type-name text-ink">{name}</b>
        )}
        {/* On phones a text that wraps: whose it is, and of which department, is never cut. */}
        <span className="max-sm:line-clamp-4 sm:flex sm:min-w-0 sm:items-center sm:gap-1">
          {unit && (
            <>
              <span className="[overflow-wrap:anywhere] sm:truncate" title={unit}>
                {unit}
              </span>
              {/* The dot ends a line and never begins one. */}
              <span aria-hidden className="max-sm:before:content-['\00a0']">
                {'· '}
              </span>
            </>
          )}
          <Link
            to={paths.post(post.id)}
            className="inline-block min-h-6 min-w-6 shrink-0 content-center whitespace-nowrap hover:underline"
          >
            <time dateTime={post.created_at}>{formatAgo(post.created_at, now)}</time>
          </Link>
          {wasEdited(post) && <span className="shrink-0"> · {copy.edited}</span>}
        </span>
      </p>
      <span className="flex shrink-0 items-center gap-2">
        {post.is_command_post && (
          <Badge variant="ember">
            <Radio aria-hidden /> <span className="max-sm:sr-only">{copy.commandPost}</span>
          </Badge>
        )}
        <Badge variant={kind}>
          <KindIcon kind={kind} />
          <span className="max-sm:sr-only">{copy.shortKinds[kind]}</span>
        </Badge>
        {menu}
      </span>
    </header>
  )
}
