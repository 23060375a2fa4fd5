/** The reader's actions on a post: useful, comments, I'll use this, save, share. */
import clsx from 'clsx'
import { MessageSquare, Share, ThumbsUp } from 'lucide-react'
import { formatCount } from '@/lib/format/numbers'
import { copy } from '../copy'
import { authorName, kindOf, type Post } from '../model'
import { sharePost } from '../share'
import { useReaction } from '../use-reaction'
import { LessonUse } from './lesson-use'
import { SaveButton } from './save-button'

const action =
  'inline-flex min-h-9 items-center gap-1.5 rounded-control px-2 font-[580] hover:bg-sunken hover:text-ink [&_svg]:size-4.5'

interface Props {
  post: Post
  commentsOpen: boolean
  onComments: () => void
}

export function PostActions({ post, commentsOpen, onComments }: Props) {
  const react = useReaction(post.id, null)
  const liked = post.mine.length > 0
  const title = post.title || `${copy.kinds[kindOf(post.kind)]}, ${authorName(post)}`
  return (
    <footer className="-mx-2 -mb-2 flex flex-wrap gap-1 text-small text-muted tabular-nums">
      <button
        type="button"
        aria-pressed={liked}
        aria-label={copy.reactions(post.reaction_count)}
        onClick={() => react(post)}
        className={clsx(action, liked && 'text-ember-text')}
      >
        <ThumbsUp aria-hidden />
        {formatCount(post.reaction_count)}
      </button>
      <button
        type="button"
        aria-expanded={commentsOpen}
        aria-label={copy.comments.show(post.comment_count)}
        onClick={onComments}
        className={action}
      >
        <MessageSquare aria-hidden />
        {formatCount(post.comment_count)}
      </button>
      <LessonUse post={post} className={action} />
      <span className="ml-auto flex gap-1">
        <SaveButton post={post} className={action} />
        <button type="button" onClick={() => void sharePost(post.id, title)} className={action}>
          <Share aria-hidden />
          <span className="max-sm:sr-only">{copy.actions.share}</span>
        </button>
      </span>
    </footer>
  )
}
