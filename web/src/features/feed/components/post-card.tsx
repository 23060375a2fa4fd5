/** One post: author, content, date; reactions, comments, share; edit and delete for its author. */
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { Folded } from '@/components/ui/folded'
import { Gallery } from '@/components/files/gallery'
import { copy } from '../copy'
import { cardId } from '../focus'
import { authorName, kindOf, picturesOf, type Post } from '../model'
import { useUnsentComments } from '../outbox'
import { Comments } from './comments'
import { LessonEnd } from './lesson-end'
import { OthersPostMenu } from './others-post-menu'
import { OwnPostMenu } from './own-post-menu'
import { Plan } from './plan'
import { PostActions } from './post-actions'
import { PostHeader } from './post-header'
import { RichText } from './rich-text'
import { Tags } from './tags'
import { Talk } from './talk'

interface Props {
  post: Post
  now: Date
  /** On the post page: comments are open, and the title is the page's. */
  alone?: boolean
  onGone?: (() => void) | undefined
}

export function PostCard({ post, now, alone = false, onGone }: Props) {
  const isOwn = post.user_id === useMemberId()
  const [asked, setCommentsOpen] = useState<boolean | null>(alone || null)
  // Opened by what waits there, they stay open once it is sent.
  if (useUnsentComments(post.id).length > 0 && asked === null) setCommentsOpen(true)
  const commentsOpen = asked ?? false
  const name = authorName(post)
  const text = <RichText text={post.content} />
  return (
    <Card className="p-4 md:p-5">
      <article
        id={cardId(post.id)}
        aria-label={`${copy.kinds[kindOf(post.kind)]}, ${name}`}
        tabIndex={-1}
        className="grid grid-cols-1 gap-3 outline-none"
      >
        <PostHeader
          post={post}
          now={now}
          menu={
            isOwn ? <OwnPostMenu post={post} name={name} onGone={onGone} /> : <OthersPostMenu post={post} name={name} />
          }
        />
        <div className="grid max-w-[62ch] grid-cols-1 gap-1">
          {post.title && !alone && (
            <h2 dir="auto" className="type-h3 [overflow-wrap:anywhere]">
              <Link to={paths.post(post.id)} className="inline-block min-h-6 hover:underline">
                {post.title}
              </Link>
            </h2>
          )}
          {alone ? text : <Folded lines={12}>{text}</Folded>}
          {alone && !isOwn && kindOf(post.kind) === 'lesson' && <LessonEnd postId={post.id} />}
        </div>
        <Plan post={post} />
        <Gallery pictures={picturesOf(post)} />
        <Tags tags={post.tags} />
        <PostActions post={post} commentsOpen={commentsOpen} onComments={() => setCommentsOpen(!commentsOpen)} />
        {commentsOpen ? (
          <Comments post={post} now={now} />
        ) : (
          <Talk post={post} now={now} onMore={() => setCommentsOpen(true)} />
        )}
      </article>
    </Card>
  )
}
