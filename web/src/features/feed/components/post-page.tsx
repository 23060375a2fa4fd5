/** One post on its own page, with all of its comments. */
import { useQuery } from '@tanstack/react-query'
import { FileQuestion } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { nameOf } from '@/api/people/model'
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
import { copy } from '../copy'
import { kindOf } from '../model'
import { PostSkeletons } from './feed-list'
import { PostCard } from './post-card'

const usePost = (postId: string) => useQuery({ ...postQuery(useMemberId(), postId), enabled: isUuid(postId) })
type PostQuery = ReturnType<typeof usePost>

const titleOf = (post: PostQuery['data']) =>
  post ? post.title || `${copy.kinds[kindOf(post.kind)]}, ${nameOf(post.author, copy.anonymous)}` : copy.postTitle

export function PostPage({ postId }: { postId: string }) {
  const post = usePost(postId)
  return (
    <>
      <DocumentHead title={titleOf(post.data)} />
      <PostStates post={post} isId={isUuid(postId)} />
    </>
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
        <h1 className="sr-only">{copy.missing.title}</h1>
        <EmptyState
          glyph={<FileQuestion />}
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
      <h1 className={data.title ? 'mb-4 type-h1 [overflow-wrap:anywhere]' : 'sr-only'} dir="auto">
        {titleOf(data)}
      </h1>
      <PostCard post={data} now={now} alone onGone={() => void navigate(paths.feed, { replace: true })} />
    </>
  )
}
