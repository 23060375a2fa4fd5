/** The comments of a post, in threads of one level. */
import { useInfiniteQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { Avatar } from '@/components/ui/avatar'
import { BusyButton } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { Failed } from '@/components/ui/failed'
import { Folded } from '@/components/ui/folded'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { askForSafety } from '@/lib/safety/requests'
import { formatAgo } from '@/lib/format/dates'
import { rowsOf } from '@/lib/live-lists/keyset'
import { showToast } from '@/lib/toasts/toast'
import { formatCount } from '@/lib/format/numbers'
import { commentsQuery } from '../api/queries'
import { copy } from '../copy'
import { keepCommentDraft, readCommentDraft } from '../drafts'
import { authorName, type Comment, type Post, threadsOf, wasEdited } from '../model'
import { useComments } from '../use-comments'
import { useReaction } from '../use-reaction'
import { CommentForm } from './comment-form'
import { OwnAvatar } from './own-avatar'
import { RichText } from './rich-text'

const quiet = 'min-h-7 rounded-tag px-1.5 font-[580] hover:bg-sunken hover:text-ink'

interface OneProps {
  post: Post
  comment: Comment
  now: Date
  onReply: () => void
}

export function One({ post, comment, now, onReply }: OneProps) {
  const memberId = useMemberId()
  const react = useReaction(post.id, comment.id)
  const { change, remove } = useComments(post)
  const [editing, setEditing] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const name = authorName(comment)
  const named = comment.mentions.flatMap(({ mentioned_user_id, who }) =>
    who?.full_name ? [{ id: mentioned_user_id, name: who.full_name }] : [],
  )
  const liked = comment.mine.length > 0
  const own = comment.user_id === memberId
  return (
    <div ref={place} data-slot="comment" className="flex gap-3">
      <Avatar memberId={comment.user_id ?? ''} name={name} url={comment.author?.avatar_url} size="sm" />
      <div className="grid min-w-0 grow grid-cols-1 gap-1">
        {editing ? (
          <CommentForm
            label={copy.comments.edit}
            initial={comment.content}
            submit={copy.comments.save}
            busy={change.isPending}
            focusOnMount
            onCancel={() => setEditing(false)}
            onSubmit={(content, picked) =>
              change.mutateAsync({ id: comment.id, content, picked, named }).then(() => setEditing(false))
            }
          />
        ) : (
          <div className="rounded-card bg-sunken px-3 py-2 text-ui">
            <p className="text-small text-muted">
              {comment.author ? (
                <Link to={paths.profileOf(comment.author.id)} className="type-name text-ink hover:underline">
                  {name}
                </Link>
              ) : (
                <b className="type-name text-ink">{name}</b>
              )}{' '}
              <time dateTime={comment.created_at} className="whitespace-nowrap">
                {formatAgo(comment.created_at, now)}
              </time>
              {wasEdited(comment) && ` · ${copy.edited}`}
            </p>
            <Folded lines={10}>
              <RichText text={comment.content} named={named} />
            </Folded>
          </div>
        )}
        {!editing && (
          <p className="flex flex-wrap gap-2 text-small text-muted">
            <button
              type="button"
              aria-pressed={liked}
              aria-label={copy.comments.useful(name, comment.reaction_count)}
              onClick={() => react(comment)}
              className={clsx(quiet, liked && 'text-ember-text')}
            >
              {copy.useful}
              {comment.reaction_count > 0 && (
                <span className="tabular-nums"> {formatCount(comment.reaction_count)}</span>
              )}
            </button>
            <button type="button" onClick={onReply} className={quiet}>
              {copy.comments.reply}
              <span className="sr-only">{copy.comments.to(name)}</span>
            </button>
            {!own && (
              <button
                type="button"
                onClick={() =>
                  askForSafety({ act: 'report', subject: { kind: 'comment', id: comment.id }, person: null })
                }
                className={quiet}
              >
                {copy.comments.report}
                <span className="sr-only">{copy.comments.of(name)}</span>
              </button>
            )}
            {own && (
              <>
                <button type="button" onClick={() => setEditing(true)} className={quiet}>
                  {copy.comments.edit}
                </button>
                <Confirm
                  title={copy.comments.removeTitle}
                  description={copy.comments.removeText}
                  action={copy.comments.remove}
                  onConfirm={() => {
                    place.current?.closest('section')?.focus()
                    remove(comment.id)
                  }}
                >
                  <button type="button" className={quiet}>
                    {copy.comments.remove}
                  </button>
                </Confirm>
              </>
            )}
          </p>
        )}
      </div>
    </div>
  )
}

function Waiting() {
  return (
    <Loading label={copy.comments.loading} className="grid gap-3">
      {[0, 1].map((i) => (
        <div key={i} className="flex gap-3">
          <Skeleton shape="avatar" className="size-8" />
          <Skeleton shape="card" className="h-14 grow" />
        </div>
      ))}
    </Loading>
  )
}

export function Comments({ post, now }: { post: Post; now: Date }) {
  const memberId = useMemberId()
  const comments = useInfiniteQuery(commentsQuery(memberId, post.id))
  const thread = useRef<HTMLElement>(null)
  const { write } = useComments(post)
  const [replyTo, setReplyTo] = useState<Comment | null>(null)
  if (comments.isPending) return <Waiting />
  if (!comments.data) return <Failed title={copy.comments.error} onRetry={() => void comments.refetch()} />
  const older = async () => {
    const { hasNextPage, isFetchNextPageError } = await comments.fetchNextPage()
    if (isFetchNextPageError) showToast({ title: copy.comments.error, variant: 'destructive' })
    else if (!hasNextPage) thread.current?.focus({ preventScroll: true }) // the button was removed
  }
  const one = (comment: Comment) => <One post={post} comment={comment} now={now} onReply={() => setReplyTo(comment)} />
  return (
    <section
      ref={thread}
      aria-label={copy.comments.title}
      tabIndex={-1}
      className="grid grid-cols-1 gap-4 border-t border-line pt-4 outline-none"
    >
      {comments.hasNextPage && (
        <BusyButton
          size="sm"
          busy={comments.isFetchingNextPage}
          busyLabel={copy.comments.loading}
          className="justify-self-center"
          onClick={() => void older()}
        >
          {copy.comments.older}
        </BusyButton>
      )}
      {threadsOf(rowsOf(comments.data).reverse()).map(({ comment, answers }) => (
        <div key={comment.id} className="grid grid-cols-1 gap-3">
          {one(comment)}
          {(answers.length > 0 || replyTo?.id === comment.id) && (
            <div className="grid grid-cols-1 gap-3 border-l-2 border-line pl-3 md:ml-4 md:pl-5">
              {answers.map((answer) => (
                <div key={answer.id}>{one(answer)}</div>
              ))}
            </div>
          )}
          {replyTo && (replyTo.id === comment.id || answers.some(({ id }) => id === replyTo.id)) && (
            <div className="md:ml-11">
              <CommentForm
                key={replyTo.id}
                focusOnMount
                initial={readCommentDraft(memberId, replyTo.id)}
                onText={(text) => keepCommentDraft(memberId, replyTo.id, text)}
                label={copy.comments.answer(authorName(replyTo))}
                busy={write.isPending}
                onCancel={() => setReplyTo(null)}
                onSubmit={(content, picked) =>
                  write.mutateAsync({ content, picked, parent: replyTo }).then(() => setReplyTo(null))
                }
              />
            </div>
          )}
        </div>
      ))}
      <div className="flex gap-3">
        <OwnAvatar size="sm" />
        <CommentForm
          initial={readCommentDraft(memberId, post.id)}
          onText={(text) => keepCommentDraft(memberId, post.id, text)}
          label={copy.comments.write}
          busy={write.isPending}
          onSubmit={(content, picked) => write.mutateAsync({ content, picked, parent: null })}
        />
      </div>
    </section>
  )
}
