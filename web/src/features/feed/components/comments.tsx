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
import { wordsFor } from '@/lib/device/outbox/copy'
import { removeEntry, type Unsent } from '@/lib/device/outbox/use-outbox'
import { askForSafety } from '@/lib/safety/requests'
import { formatAgo } from '@/lib/format/dates'
import { rowsOf } from '@/lib/live-lists/keyset'
import { showToast } from '@/lib/toasts/toast'
import { formatCount } from '@/lib/format/numbers'
import { commentsQuery } from '../api/queries'
import { copy } from '../copy'
import { keepCommentDraft, readCommentDraft } from '../drafts'
import { authorName, type Comment, type Named, type Post, threadsOf, wasEdited } from '../model'
import { useUnsentComments, type WrittenComment } from '../outbox'
import { reasonFor, useComments } from '../use-comments'
import { useReaction } from '../use-reaction'
import { CommentForm } from './comment-form'
import { OwnAvatar } from './own-avatar'
import { RichText } from './rich-text'
import { UnsentComments } from './unsent-comments'

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
  const written = useUnsentComments(post.id)
  /** A refused comment that was put back into its form. */
  const [again, setAgain] = useState<{ round: number; picked: readonly Named[] }>({ round: 0, picked: [] })
  if (comments.isPending && comments.fetchStatus === 'fetching' && written.length === 0) return <Waiting />
  const loaded = rowsOf(comments.data).reverse()
  const unsent = written.filter(({ id }) => !loaded.some((comment) => comment.id === id))
  const older = async () => {
    const { hasNextPage, isFetchNextPageError } = await comments.fetchNextPage()
    if (isFetchNextPageError) showToast({ title: copy.comments.error, variant: 'destructive' })
    else if (!hasNextPage) thread.current?.focus({ preventScroll: true }) // the button was removed
  }
  const edit = ({ id, payload: { parent, content, mentions } }: Unsent<WrittenComment>) => {
    const answered = loaded.find((comment) => comment.id === parent?.id)
    const under = answered?.id ?? post.id
    const begun = readCommentDraft(memberId, under)
    keepCommentDraft(memberId, under, begun ? `${begun}\n${content}` : content)
    setAgain(({ round }) => ({ round: round + 1, picked: mentions }))
    if (answered) setReplyTo(answered)
    removeEntry(id)
  }
  const one = (comment: Comment) => <One post={post} comment={comment} now={now} onReply={() => setReplyTo(comment)} />
  const threads = threadsOf(loaded).map(({ comment, answers }) => {
    const under = new Set([comment.id, ...answers.map(({ id }) => id)])
    const isUnder = (parentId: string | undefined) => parentId !== undefined && under.has(parentId)
    return { comment, answers, isUnder, unsent: unsent.filter(({ payload }) => isUnder(payload.parent?.id)) }
  })
  const alone = unsent.filter((comment) => !threads.some((one) => one.unsent.includes(comment)))
  const last = unsent.at(-1)
  return (
    <section
      ref={thread}
      aria-label={copy.comments.title}
      tabIndex={-1}
      className="grid grid-cols-1 gap-4 border-t border-line pt-4 outline-none"
    >
      <p role="status" className="sr-only">
        {last && wordsFor(last.delivery, last.refusal && reasonFor(last.refusal))}
      </p>
      {!comments.data && comments.isError && (
        <Failed title={copy.comments.error} onRetry={() => void comments.refetch()} />
      )}
      {comments.isPending && comments.fetchStatus === 'paused' && (
        <p className="text-small text-muted">{copy.comments.unread}</p>
      )}
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
      {threads.map(({ comment, answers, isUnder, unsent }) => (
        <div key={comment.id} className="grid grid-cols-1 gap-3">
          {one(comment)}
          {(answers.length > 0 || unsent.length > 0 || replyTo?.id === comment.id) && (
            <div className="grid grid-cols-1 gap-3 border-l-2 border-line pl-3 md:ml-4 md:pl-5">
              {answers.map((answer) => (
                <div key={answer.id}>{one(answer)}</div>
              ))}
              <UnsentComments comments={unsent} onEdit={edit} />
            </div>
          )}
          {replyTo && isUnder(replyTo.id) && (
            <div className="md:ml-11">
              <CommentForm
                key={`${replyTo.id} ${again.round}`}
                focusOnMount
                initial={readCommentDraft(memberId, replyTo.id)}
                named={again.picked}
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
      <UnsentComments comments={alone} onEdit={edit} />
      <div className="flex gap-3">
        <OwnAvatar size="sm" />
        <CommentForm
          key={again.round}
          initial={readCommentDraft(memberId, post.id)}
          named={again.picked}
          onText={(text) => keepCommentDraft(memberId, post.id, text)}
          label={copy.comments.write}
          busy={write.isPending}
          onSubmit={(content, picked) => write.mutateAsync({ content, picked, parent: null })}
        />
      </div>
    </section>
  )
}
