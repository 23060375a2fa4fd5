/** One post: who, what, when; reactions, comments, share; edit and delete for its author. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { Ellipsis, ExternalLink, MessageSquare, Pencil, Radio, Share, ThumbsUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { nameOf, unitOf } from '@/api/people/model'
import { useMemberId } from '@/api/session/auth-context'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Confirm } from '@/components/ui/confirm'
import { Folded } from '@/components/ui/folded'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu'
import { WebPicture } from '@/components/ui/web-picture'
import { paths } from '@/config/paths'
import { formatAgo, formatSpan } from '@/lib/format/dates'
import { isGone, logError, refusalOf } from '@/lib/browser/log'
import { formatCount } from '@/lib/format/numbers'
import { showToast } from '@/lib/toasts/toast'
import { dropPost, patchPost } from '../api/cache'
import { deletePost, type PostDraft, savePost } from '../api/mutations'
import { copy } from '../copy'
import { cardId, leavePost } from '../focus'
import { isLink, kindOf, type Post, wasEdited } from '../model'
import { fieldsOf } from '../post-fields'
import { sharePost } from '../share'
import { useReaction } from '../use-reaction'
import { Comments } from './comments'
import { DateTile } from './date-tile'
import { KindIcon } from './kind-icon'
import { PostForm } from './post-form'
import { RichText } from './rich-text'

const action =
  'inline-flex min-h-9 items-center gap-1.5 rounded-control px-2 font-[580] hover:bg-sunken hover:text-ink [&_svg]:size-4.5'

function OwnMenu({ post, name, onGone }: { post: Post; name: string; onGone?: (() => void) | undefined }) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const [editing, setEditing] = useState(false)
  const [asking, setAsking] = useState(false)
  const save = useMutation({
    mutationFn: (draft: PostDraft) => savePost(memberId, post.id, draft),
    onSuccess: (saved) => {
      patchPost(queryClient, post.id, () => saved)
      showToast(copy.edit.done)
    },
    onError: (cause) => {
      logError('The post was not saved', cause)
      const why = isGone(cause) ? copy.gone : refusalOf(cause, copy.compose.failed.description)
      showToast({ ...copy.edit.failed, description: why })
    },
  })
  const remove = useMutation({
    mutationFn: () => deletePost(post.id),
    onSuccess: () => {
      leavePost(post.id)
      dropPost(queryClient, post.id)
      showToast(copy.remove.done)
      onGone?.()
    },
    onError: (cause) => {
      logError('The post was not deleted', cause)
      showToast(copy.remove.failed)
    },
  })
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button variant="quiet" size="icon-sm" aria-label={copy.menu(name)}>
            <Ellipsis aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => setEditing(true)}>
            <Pencil aria-hidden /> {copy.actions.edit}
          </MenuItem>
          <MenuItem onSelect={() => setAsking(true)}>
            <Trash2 aria-hidden /> {copy.actions.remove}
          </MenuItem>
        </MenuContent>
      </Menu>
      <GuardedDialog title={copy.edit.title} wide open={editing} onOpenChange={setEditing}>
        {({ onDirty, onDone }) => (
          <PostForm
            initial={fieldsOf(post)}
            onFields={onDirty}
            onSubmit={(draft) => save.mutateAsync(draft).then(onDone)}
            busy={save.isPending}
            submit={copy.edit.save}
            submitting={copy.edit.saving}
          />
        )}
      </GuardedDialog>
      <Confirm
        title={copy.remove.title}
        description={copy.remove.text}
        action={copy.remove.action}
        onConfirm={() => remove.mutate()}
        open={asking}
        onOpenChange={setAsking}
      />
    </>
  )
}

function Plan({ post }: { post: Post }) {
  const { starts_at, ends_at, location, link } = post
  const away = link && isLink(link) ? { to: link, target: '_blank', rel: 'noopener noreferrer nofollow' } : null
  const open = (
    <>
      {copy.actions.details} <ExternalLink aria-hidden className="size-4" />
    </>
  )
  if (!starts_at && !location) {
    return (
      away && (
        <Link {...away} className="inline-flex min-h-6 items-center gap-1.5 justify-self-start text-small link">
          {open}
        </Link>
      )
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control border border-line bg-bg px-4 py-3">
      {starts_at && <DateTile value={starts_at} />}
      <p className="min-w-0 grow basis-40 text-small">
        {starts_at && <span className="block type-name">{formatSpan(starts_at, ends_at)}</span>}
        {location && <span className="block [overflow-wrap:anywhere] text-muted">{location}</span>}
      </p>
      {away && (
        <LinkButton {...away} size="sm" className="max-sm:w-full">
          {open}
        </LinkButton>
      )}
    </div>
  )
}

interface Props {
  post: Post
  now: Date
  /** The post page: comments open, the title is the page's. */
  alone?: boolean
  onGone?: (() => void) | undefined
}

export function PostCard({ post, now, alone = false, onGone }: Props) {
  const memberId = useMemberId()
  const react = useReaction(post.id, null)
  const [talking, setTalking] = useState(alone)
  const kind = kindOf(post.kind)
  const name = nameOf(post.author, copy.anonymous)
  const unit = unitOf(post.author)
  const liked = post.mine.length > 0
  return (
    <Card className="p-4 md:p-5">
      <article
        id={cardId(post.id)}
        aria-label={`${copy.kinds[kind]}, ${name}`}
        tabIndex={-1}
        className="grid grid-cols-1 gap-3 outline-none"
      >
        <header className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <Avatar memberId={post.user_id ?? ''} name={name} url={post.author?.avatar_url} />
          <p className="min-w-0 grow basis-28 text-small text-muted">
            {post.author ? (
              <Link
                to={paths.profileOf(post.author.id)}
                className="block truncate text-body type-name text-ink hover:underline"
              >
                {name}
              </Link>
            ) : (
              <b className="block truncate text-body type-name text-ink">{name}</b>
            )}
            <span className="flex min-w-0 gap-1">
              {unit && (
                <>
                  <span className="truncate" title={unit}>
                    {unit}
                  </span>
                  <span aria-hidden>·</span>
                </>
              )}
              <Link to={paths.post(post.id)} className="shrink-0 hover:underline">
                <time dateTime={post.created_at}>{formatAgo(post.created_at, now)}</time>
              </Link>
              {wasEdited(post) && <span className="shrink-0">· {copy.edited}</span>}
            </span>
          </p>
          {post.user_id === memberId && (
            <span className="sm:order-last">
              <OwnMenu post={post} name={name} onGone={onGone} />
            </span>
          )}
          <span className="flex flex-wrap gap-2 max-sm:basis-full">
            {post.is_command_post && (
              <Badge variant="ember">
                <Radio aria-hidden /> {copy.commandPost}
              </Badge>
            )}
            <Badge variant={kind}>
              <KindIcon kind={kind} />
              {copy.kinds[kind]}
            </Badge>
          </span>
        </header>
        <div className="grid max-w-[62ch] grid-cols-1 gap-1">
          {post.title && !alone && (
            <h2 dir="auto" className="type-name [overflow-wrap:anywhere]">
              {post.title}
            </h2>
          )}
          {alone ? (
            <RichText text={post.content} />
          ) : (
            <Folded lines={12}>
              <RichText text={post.content} />
            </Folded>
          )}
        </div>
        <Plan post={post} />
        <WebPicture
          src={post.featured_image}
          alt={copy.picture}
          className="max-h-112 w-full rounded-control object-cover"
        />
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
            aria-expanded={talking}
            aria-label={copy.comments.show(post.comment_count)}
            onClick={() => setTalking((open) => !open)}
            className={action}
          >
            <MessageSquare aria-hidden />
            {formatCount(post.comment_count)}
          </button>
          <button
            type="button"
            onClick={() => void sharePost(post.id, post.title || `${copy.kinds[kind]}, ${name}`)}
            className={action}
          >
            <Share aria-hidden />
            {copy.actions.share}
          </button>
        </footer>
        {talking && <Comments post={post} now={now} />}
      </article>
    </Card>
  )
}
