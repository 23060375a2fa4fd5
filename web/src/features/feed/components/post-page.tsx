/** One post by itself, with everything that was said to it. */
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
import { usePageHead } from '@/lib/browser/page-head'
import { isUuid } from '@/lib/format/uuid'
import { postQuery } from '../api/queries'
import { copy } from '../copy'
import { kindOf } from '../model'
import { PostSkeletons } from './feed-list'
import { PostCard } from './post-card'

export function PostPage({ postId }: { postId: string }) {
  const memberId = useMemberId()
  const navigate = useNavigate()
  const isId = isUuid(postId)
  const post = useQuery({ ...postQuery(memberId, postId), enabled: isId })
  const data = post.data
  const title = data
    ? data.title || `${copy.kinds[kindOf(data.kind)]}, ${nameOf(data.author, copy.anonymous)}`
    : copy.postTitle
  usePageHead({ title })
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
        {title}
      </h1>
      <PostCard
        post={data}
        now={new Date(post.dataUpdatedAt)}
        alone
        onGone={() => void navigate(paths.feed, { replace: true })}
      />
    </>
  )
}
