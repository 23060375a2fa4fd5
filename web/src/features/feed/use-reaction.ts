/** Marking a post or a comment as useful, and undoing it: optimistic, rolled back when rejected. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { notifyMember } from '@/api/notifications/notify-member'
import { nameOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { useSingleFlight } from '@/lib/browser/use-single-flight'
import { patchComments, patchPost } from './api/cache'
import { react, type Target, unreact } from './api/mutations'
import { copy } from './copy'

interface Liked {
  id: string
  user_id: string | null
  content: string
  mine: { id: string }[]
  reaction_count: number
}

const toggled = <T extends Liked>(thing: T, on: boolean, id: string): T => ({
  ...thing,
  mine: on ? [{ id }] : [],
  reaction_count: Math.max(0, thing.reaction_count + Number(on) - Number(thing.mine.length > 0)),
})

/** `commentId` null: the post itself. */
export function useReaction(postId: string, commentId: string | null) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const target: Target = commentId ? { comment_id: commentId } : { post_id: postId }
  const show = (on: boolean, id = 'optimistic') => {
    if (commentId) {
      patchComments(queryClient, postId, (all) => all.map((one) => (one.id === commentId ? toggled(one, on, id) : one)))
    } else patchPost(queryClient, postId, (post) => toggled(post, on, id))
  }
  const notifyAuthor = async (thing: Liked, reactionId: string) => {
    if (!thing.user_id) return
    const name = nameOf(await queryClient.ensureQueryData(profileQuery(memberId)))
    await notifyMember({
      recipientId: thing.user_id,
      actorId: memberId,
      type: 'reaction',
      title: commentId ? copy.notifications.usefulComment(name) : copy.notifications.usefulPost(name),
      content: thing.content.slice(0, 140),
      referenceId: postId,
      url: paths.post(postId),
      event: { reaction_id: reactionId },
    })
  }
  const single = useSingleFlight()
  const { mutateAsync } = useMutation({
    mutationFn: async (thing: Liked) => {
      if (thing.mine.length > 0) return unreact(memberId, target)
      const id = await react(memberId, target)
      void notifyAuthor(thing, id)
    },
    onMutate: (thing) => show(thing.mine.length === 0),
    onError: (cause, thing) => {
      show(thing.mine.length > 0)
      logError('The reaction was not saved', cause)
      showToast(copy.reactFailed)
    },
  })
  return (thing: Liked) => single(() => mutateAsync(thing))
}
