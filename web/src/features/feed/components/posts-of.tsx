/** A member's posts as rows, newest first: what is said and what came of it is on the page of the post. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { BookOpen } from 'lucide-react'
import { Link, useSearchParams } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { Picture } from '@/components/files/picture'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { useNow } from '@/lib/browser/use-now'
import { formatAgo } from '@/lib/format/dates'
import { rowsOf } from '@/lib/live-lists/keyset'
import { useShortMemory } from '@/lib/live-lists/long-lists'
import { feedKeys } from '../api/keys'
import { feedQuery } from '../api/queries'
import { copy } from '../copy'
import { isKind, type Kind, kindOf, picturesOf, type Post } from '../model'
import { KindFilter } from './kind-filter'
import { KindIcon } from './kind-icon'

const strings = copy.posts
/** Fewer than this need no filter. */
const few = 4

function Row({ post, now }: { post: Post; now: Date }) {
  const kind = kindOf(post.kind)
  const picture = picturesOf(post)[0]
  const link = (text: string) => (
    <Link to={paths.post(post.id)} className="before:absolute before:inset-0 before:content-[''] hover:underline">
      {text}
    </Link>
  )
  return (
    <li className="relative flex items-start gap-4 p-4 hover:bg-sunken md:px-5">
      <div className="grid min-w-0 grow grid-cols-1 gap-1">
        {post.title && (
          <h3 dir="auto" className="line-clamp-2 type-name [overflow-wrap:anywhere]">
            {link(post.title)}
          </h3>
        )}
        <p dir="auto" className="line-clamp-2 text-ui [overflow-wrap:anywhere]">
          {post.title ? post.content : link(post.content)}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted">
          <Badge variant={kind}>
            <KindIcon kind={kind} />
            {copy.shortKinds[kind]}
          </Badge>
          <time dateTime={post.created_at}>{formatAgo(post.created_at, now)}</time>
          {post.reaction_count > 0 && <span>{strings.useful(post.reaction_count)}</span>}
          {post.comment_count > 0 && <span>{strings.comments(post.comment_count)}</span>}
        </p>
      </div>
      {picture && <Picture file={picture} width={104} className="h-16 w-26 shrink-0 rounded-control" />}
    </li>
  )
}

function Rows({ authorId, kind }: { authorId: string; kind: Kind | null }) {
  const now = useNow()
  const memberId = useMemberId()
  const filter = { kind, authorId }
  const list = useInfiniteQuery(feedQuery(memberId, filter))
  useShortMemory(feedKeys.posts(filter))
  if (list.isPending) {
    return (
      <Loading label={strings.loading} className="grid gap-3 p-4 md:p-5">
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-2/5" />
      </Loading>
    )
  }
  if (!list.data) return <Failed title={strings.failed} onRetry={() => void list.refetch()} />
  const posts = rowsOf(list.data)
  if (posts.length === 0) {
    return (
      <EmptyState glyph={<BookOpen />} title={kind ? copy.emptyKind(copy.shortKinds[kind]).title : strings.empty}>
        {kind ? undefined : strings.emptyText}
      </EmptyState>
    )
  }
  return (
    <>
      {(kind !== null || posts.length >= few) && (
        <div className="px-4 md:px-5">
          <KindFilter current={kind} />
        </div>
      )}
      <ul aria-label={copy.list} className="divide-y divide-line">
        {posts.map((post) => (
          <Row key={post.id} post={post} now={now} />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="border-t border-line p-3">
          <LoadMore
            of={list}
            manual
            label={list.isFetchNextPageError ? copy.again : copy.more}
            busyLabel={copy.loadingMore}
          />
        </div>
      )}
    </>
  )
}

export function PostsOf({ authorId }: { authorId: string }) {
  const own = useMemberId() === authorId
  const [params] = useSearchParams()
  const param = params.get('kind')
  return (
    <Card>
      <section aria-label={strings.title}>
        <header className="flex min-h-9 items-center justify-between gap-3 px-4 pt-4 pb-1 md:px-5 md:pt-5">
          <h2 className="type-card">{strings.title}</h2>
          {own && (
            <Link to={paths.feed} className="py-1 text-small link">
              {strings.write}
            </Link>
          )}
        </header>
        <Rows authorId={authorId} kind={isKind(param) ? param : null} />
      </section>
    </Card>
  )
}
