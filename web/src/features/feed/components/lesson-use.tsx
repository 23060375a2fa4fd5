/** "I'll use this" on a lesson; for its author, how many and from which kinds of departments (§16.4). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { BookCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { logError } from '@/lib/browser/log'
import { useSingleFlight } from '@/lib/browser/use-single-flight'
import { formatCount } from '@/lib/format/numbers'
import { showToast } from '@/lib/toasts/toast'
import { patchPost } from '../api/cache'
import { leaveLesson, takeLesson } from '../api/mutations'
import { useKindsQuery } from '../api/queries'
import { copy } from '../copy'
import { kindOf, type Post } from '../model'

const strings = copy.use

interface Props {
  post: Post
  className: string
}

function Kinds({ id, post }: { id: string; post: Post }) {
  const kinds = useQuery(useKindsQuery(post.id, post.use_count)).data
  return (
    <p id={id} role="status" className="basis-full px-2 pb-1 text-small text-muted">
      {kinds === undefined
        ? strings.loading
        : kinds.length === 0
          ? strings.few
          : strings.kinds(kinds.map(({ kind, members }) => strings.kind(kind, members)).join(', '))}
    </p>
  )
}

/** The author's own lesson: a number that unfolds. */
function Uses({ post, className }: Props) {
  const id = useId()
  const [open, setOpen] = useState(false)
  if (post.use_count === 0) return null
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className={className}
      >
        <BookCheck aria-hidden />
        {strings.count(post.use_count)}
      </button>
      {open && <Kinds id={id} post={post} />}
    </>
  )
}

function UseButton({ post, className }: Props) {
  const queryClient = useQueryClient()
  const used = post.used.length > 0
  const show = (on: boolean) =>
    patchPost(queryClient, post.id, (one) => ({
      ...one,
      used: on ? [{ id: 'optimistic' }] : [],
      use_count: Math.max(0, one.use_count + Number(on) - Number(one.used.length > 0)),
    }))
  const single = useSingleFlight()
  const { mutateAsync } = useMutation({
    mutationFn: (on: boolean) => (on ? takeLesson(post.id) : leaveLesson(post.id)),
    onMutate: show,
    onError: (cause, on) => {
      show(!on)
      logError('The use of a lesson was not saved', cause)
      showToast(strings.failed)
    },
  })
  return (
    <button
      type="button"
      aria-pressed={used}
      onClick={() => single(() => mutateAsync(!used))}
      className={clsx(className, used && 'text-ember-text')}
    >
      <BookCheck aria-hidden />
      {strings.label}
      {post.use_count > 0 && (
        <>
          <span aria-hidden>{formatCount(post.use_count)}</span>
          <span className="sr-only">, {strings.count(post.use_count)}</span>
        </>
      )}
    </button>
  )
}

export function LessonUse(props: Props) {
  const own = useMemberId() === props.post.user_id
  if (kindOf(props.post.kind) !== 'lesson') return null
  return own ? <Uses {...props} /> : <UseButton {...props} />
}
