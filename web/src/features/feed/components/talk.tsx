/** What is said under a post of a list: its top comment, and a line to answer it. */
import { Award } from 'lucide-react'
import { useMemberId } from '@/api/session/auth-context'
import { copy } from '../copy'
import { keepCommentDraft, readCommentDraft } from '../drafts'
import { authorName, type Post } from '../model'
import { useComments } from '../use-comments'
import { CommentForm } from './comment-form'
import { OwnAvatar } from './own-avatar'
import { One } from './comments'

interface Props {
  post: Post
  now: Date
  /** Shows all comments. */
  onMore: () => void
}

/** Nothing without a comment: the button with their number opens the form. */
export function Talk({ post, now, onMore }: Props) {
  const memberId = useMemberId()
  const { write } = useComments(post)
  const top = post.top?.[0]
  if (!top) return null
  // One's own comment is followed by another one, not answered.
  const parent = top.user_id === memberId ? null : top
  const under = parent?.id ?? post.id
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line pt-4">
      <div className="grid grid-cols-1 gap-1">
        <p className="flex items-center gap-1.5 pl-11 text-label font-semibold text-muted">
          <Award aria-hidden className="size-3.5" />
          {top.reaction_count > 0 ? copy.comments.top : copy.comments.latest}
        </p>
        <One post={post} comment={top} now={now} onReply={onMore} />
      </div>
      <div className="flex gap-3">
        <OwnAvatar size="sm" className="mt-1" />
        <CommentForm
          key={under}
          initial={readCommentDraft(memberId, under)}
          onText={(text) => keepCommentDraft(memberId, under, text)}
          label={parent ? copy.comments.replyTo(authorName(parent)) : copy.comments.add}
          busy={write.isPending}
          onSubmit={(content, picked) => write.mutateAsync({ content, picked, parent }).then(onMore)}
        />
      </div>
    </div>
  )
}
