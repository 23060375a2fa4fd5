/** Saves a post for later, or takes it from Saved (§11.4). */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { Bookmark } from 'lucide-react'
import { logError } from '@/lib/browser/log'
import { useSingleFlight } from '@/lib/browser/use-single-flight'
import { showToast } from '@/lib/toasts/toast'
import { patchPost } from '../api/cache'
import { feedKeys } from '../api/keys'
import { savePostForLater, unsavePost } from '../api/mutations'
import { copy } from '../copy'
import type { Post } from '../model'

export function SaveButton({ post, className }: { post: Post; className: string }) {
  const queryClient = useQueryClient()
  const isSaved = post.saved.length > 0
  const show = (on: boolean) =>
    patchPost(queryClient, post.id, (one) => ({ ...one, saved: on ? [{ id: 'optimistic' }] : [] }))
  const single = useSingleFlight()
  const { mutateAsync } = useMutation({
    mutationFn: (on: boolean) => (on ? savePostForLater(post.id) : unsavePost(post.id)),
    onMutate: show,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: feedKeys.saved() }),
    onError: (cause, on) => {
      show(!on)
      logError('Saved was not changed', cause)
      showToast(copy.saved.failed)
    },
  })
  return (
    <button
      type="button"
      aria-pressed={isSaved}
      aria-label={copy.saved.button}
      title={isSaved ? copy.saved.remove : copy.saved.add}
      onClick={() => single(() => mutateAsync(!isSaved))}
      className={clsx(className, 'min-w-9 justify-center', isSaved && 'text-ember-text')}
    >
      <Bookmark aria-hidden className={clsx(isSaved && 'fill-current')} />
    </button>
  )
}
