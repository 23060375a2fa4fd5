/** The posts that the member saved, newest first (§11.4). */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { useMemberId } from '@/api/session/auth-context'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { paths } from '@/config/paths'
import { useNow } from '@/lib/browser/use-now'
import { savedPostsQuery } from '../api/queries'
import { copy } from '../copy'
import { PostSkeletons } from './feed-list'
import { PostCard } from './post-card'

export function SavedPosts() {
  const saved = useInfiniteQuery(savedPostsQuery(useMemberId()))
  const now = useNow()
  if (saved.isPending) return <PostSkeletons />
  if (!saved.data) return <Failed title={copy.saved.error} onRetry={() => void saved.refetch()} />
  const posts = saved.data.pages.flat()
  if (posts.length === 0) {
    return (
      <Card>
        <EmptyState
          glyph={<Bookmark />}
          title={copy.saved.empty}
          action={<LinkButton to={paths.feed}>{copy.saved.toFeed}</LinkButton>}
        >
          {copy.saved.emptyText}
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      {posts.map(({ post }) => (
        <PostCard key={post.id} post={post} now={now} onGone={() => void saved.refetch()} />
      ))}
      {saved.hasNextPage && <LoadMore of={saved} label={copy.saved.more} busyLabel={copy.loading} />}
    </div>
  )
}
