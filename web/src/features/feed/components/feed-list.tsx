/** The feed in its four states; new posts by others are announced, not inserted. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowUp, BookOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { Skeleton, Loading, PersonSkeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { useNow } from '@/lib/browser/use-now'
import { rowsOf } from '@/lib/live-lists/keyset'
import { useShortMemory } from '@/lib/live-lists/long-lists'
import { WindowedList } from '@/components/ui/windowed-list'
import { feedKeys } from '../api/keys'
import { feedQuery, newerPostsQuery } from '../api/queries'
import { useFeedLive } from '../api/realtime'
import { copy } from '../copy'
import { focusFirstPost } from '../focus'
import { type Kind, newestOfOthers } from '../model'
import { PostCard } from './post-card'

export function PostSkeletons({ count = 3 }: { count?: number }) {
  return (
    <Loading label={copy.loading} className="grid gap-4">
      {Array.from({ length: count }, (_, i) => (
        <Card key={i} className="grid gap-3 p-5">
          <PersonSkeleton lines={['w-2/5', 'w-3/5']} />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-11/12" />
          <Skeleton className="h-4 w-3/5" />
        </Card>
      ))}
    </Loading>
  )
}

interface NewPostsProps {
  than: string
  /** When the list was fetched, in ms; older posts are already in it. */
  since: number
  kind: Kind | null
  tag: string | undefined
}

function NewPosts({ than, since, kind, tag }: NewPostsProps) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const count = useQuery({
    ...newerPostsQuery(memberId, than, kind, tag ?? null),
    initialData: 0,
    initialDataUpdatedAt: since,
  }).data
  const show = () => {
    window.scrollTo({ top: 0 })
    void queryClient.resetQueries({ queryKey: feedKeys.posts({ kind, authorId: null, tag }) }).then(focusFirstPost)
  }
  return (
    <div role="status" className="sticky top-20 z-10 grid justify-items-center empty:hidden">
      {count > 0 && (
        <Button variant="primary" size="sm" className="shadow-pop" onClick={show}>
          <ArrowUp aria-hidden /> {copy.newPosts(count)}
        </Button>
      )}
    </div>
  )
}

interface Props {
  kind?: Kind | null
  /** Only posts with this tag. */
  tag?: string | undefined
  /** Shown after the first post. */
  afterFirst?: ReactNode
}

export function FeedList({ kind = null, tag, afterFirst }: Props) {
  const now = useNow()
  const memberId = useMemberId()
  const feed = useInfiniteQuery(feedQuery(memberId, { kind, authorId: null, tag }))
  useShortMemory(feedKeys.posts({ kind, authorId: null, tag }))
  useFeedLive()
  if (feed.isPending) return <PostSkeletons />
  if (!feed.data) {
    return (
      <Card>
        <Failed title={copy.error.title} onRetry={() => void feed.refetch()}>
          {copy.error.text}
        </Failed>
      </Card>
    )
  }
  const posts = rowsOf(feed.data)
  const strings = tag ? copy.tags.empty : kind ? copy.emptyKind(copy.shortKinds[kind]) : copy.empty
  return (
    <div className="grid grid-cols-1 gap-4">
      <NewPosts than={newestOfOthers(posts, memberId)} since={feed.dataUpdatedAt} kind={kind} tag={tag} />
      {posts.length === 0 && (
        <Card>
          <EmptyState
            glyph={<BookOpen />}
            title={strings.title}
            action={(kind ?? tag) && <LinkButton to={paths.feed}>{copy.showAll}</LinkButton>}
          >
            {strings.text}
          </EmptyState>
        </Card>
      )}
      <WindowedList
        items={posts}
        keyOf={(post) => post.id}
        estimate={260}
        gap={16}
        more={feed.hasNextPage}
        label={copy.list}
        memory={`posts ${kind ?? ''} ${tag ?? ''}`}
      >
        {(post) => (
          <div className="grid grid-cols-1 gap-4">
            <PostCard post={post} now={now} />
            {post === posts[0] && afterFirst}
          </div>
        )}
      </WindowedList>
      {feed.isFetchNextPageError && (
        <p role="alert" className="text-center text-ui text-muted">
          {copy.moreError}
        </p>
      )}
      {feed.hasNextPage && (
        <LoadMore
          of={feed}
          manual={feed.isFetchNextPageError}
          label={feed.isFetchNextPageError ? copy.again : copy.more}
          busyLabel={copy.loadingMore}
        />
      )}
    </div>
  )
}
