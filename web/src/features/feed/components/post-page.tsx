/** One post on its own page, with all of its comments. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { ArrowLeft, FileQuestion } from 'lucide-react'
import { Link, useNavigate } from 'react-router-dom'
import { useSeenAbout } from '@/api/notifications/seen'
import { useMemberId } from '@/api/session/auth-context'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { paths } from '@/config/paths'
import { DocumentHead } from '@/components/document-head'
import { useNow } from '@/lib/browser/use-now'
import { isUuid } from '@/lib/format/uuid'
import { postQuery } from '../api/queries'
import { useFeedLive } from '../api/realtime'
import { copy } from '../copy'
import { useUnsentComments } from '../outbox'
import { authorName, kindOf } from '../model'
import { PostSkeletons } from './feed-list'
import { PostCard } from './post-card'
import { UnsentComments } from './unsent-comments'

const usePost = (postId: string) => useQuery({ ...postQuery(useMemberId(), postId), enabled: isUuid(postId) })
type PostQuery = ReturnType<typeof usePost>

const titleOf = (post: PostQuery['data']) =>
  post ? post.title || `${copy.kinds[kindOf(post.kind)]}, ${authorName(post)}` : copy.postTitle

export function PostPage({ postId }: { postId: string }) {
  const post = usePost(postId)
  useFeedLive()
  useSeenAbout(post.data?.id ?? null)
  return (
    <>
      <DocumentHead title={titleOf(post.data)} />
      <PostStates post={post} isId={isUuid(postId)} />
      {!post.data && <LeftComments postId={postId} />}
    </>
  )
}

/** What was written about a post that is gone, or could not be read (§17.2). */
function LeftComments({ postId }: { postId: string }) {
  const comments = useUnsentComments(postId)
  return (
    comments.length > 0 && (
      <Card className="mt-4 grid grid-cols-1 gap-4 p-4 md:p-5">
        <UnsentComments comments={comments} />
      </Card>
    )
  )
}

function PostStates({ post, isId }: { post: PostQuery; isId: boolean }) {
  const navigate = useNavigate()
  const now = useNow()
  const data = post.data
  if (isId && post.isPending) return <PostSkeletons count={1} />
  if (isId && post.isError && !data) {
    return (
      <Card>
        <Failed title={copy.postError.title} onRetry={() => void post.refetch()}>
          {copy.postError.text}
        </Failed>
      </Card>
    )
  }
  if (!data) {
    return (
      <Card>
        <EmptyState
          glyph={<FileQuestion />}
          heading="h1"
          title={copy.missing.title}
          action={<LinkButton to={paths.feed}>{copy.toFeed}</LinkButton>}
        >
          {copy.missing.text}
        </EmptyState>
      </Card>
    )
  }
  return (
    <>
      <Link to={paths.feed} className="mb-2 inline-flex min-h-6 items-center gap-1.5 text-small link">
        <ArrowLeft aria-hidden className="size-4" /> {copy.toFeed}
      </Link>
      <h1 className={clsx('mb-4 [overflow-wrap:anywhere]', data.title ? 'type-h1' : 'type-h2')} dir="auto">
        {titleOf(data)}
      </h1>
      <PostCard post={data} now={now} alone onGone={() => void navigate(paths.feed, { replace: true })} />
    </>
  )
}
