/** Creating, editing and deleting comments, with their notifications (§1.7, §3.17, §7.14). */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { notifyMember } from '@/api/notifications/notify-member'
import { nameOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { isGone, rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { randomId } from '@/lib/browser/random-id'
import { patchComments, patchPost } from './api/cache'
import { feedKeys } from './api/keys'
import { createComment, deleteComment, mention, saveComment } from './api/mutations'
import { copy } from './copy'
import { type Comment, type Named, namedIn, type Post } from './model'

interface Written {
  content: string
  parent: Comment | null
  picked: readonly Named[]
}

interface Changed {
  id: string
  content: string
  picked: readonly Named[]
  /** Members already mentioned in it. */
  named: readonly Named[]
}

const reasonFor = (cause: unknown) =>
  isGone(cause) ? copy.gone : rejectionMessage(cause, copy.comments.failed.description)

export function useComments(post: Post) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: feedKeys.comments(post.id) })
  const counted = (step: number) =>
    patchPost(queryClient, post.id, (one) => ({ ...one, comment_count: Math.max(0, one.comment_count + step) }))

  /** `again`: an edited comment, of which only newly mentioned members are notified. */
  const sendNotifications = async (
    commentId: string,
    { content, parent }: Written,
    named: (Named & { mentionId: string })[],
    again = false,
  ) => {
    const name = nameOf(await queryClient.ensureQueryData(profileQuery(memberId)))
    const about = { actorId: memberId, content, referenceId: post.id, url: paths.post(post.id) }
    for (const { id, mentionId } of named) {
      await notifyMember({
        ...about,
        recipientId: id,
        type: 'mention',
        title: copy.notifications.mentioned(name),
        event: { mention_id: mentionId, comment_id: commentId },
      })
    }
    if (again) return
    const notified = new Set([memberId, ...named.map(({ id }) => id)])
    const others: [string | null | undefined, string][] = [
      [parent?.user_id, copy.notifications.answered(name)],
      [post.user_id, copy.notifications.commented(name)],
    ]
    for (const [recipientId, title] of others) {
      if (!recipientId || notified.has(recipientId)) continue
      notified.add(recipientId)
      await notifyMember({ ...about, recipientId, type: 'comment', title, event: { comment_id: commentId } })
    }
  }

  const saveMentions = (commentId: string, named: readonly Named[]) =>
    mention(commentId, named).catch((cause: unknown) => {
      logError('The mentions were not saved', cause)
      showToast({ ...copy.comments.mentionFailed, description: rejectionMessage(cause, '') })
      return []
    })

  const write = useMutation({
    mutationFn: async (written: Written) => {
      const id = randomId()
      await createComment({ id, post_id: post.id, parent_id: written.parent?.id ?? null, content: written.content })
      const named = namedIn(written.content, written.picked)
        .filter((one) => one.id !== memberId)
        .slice(0, 10)
      void sendNotifications(id, written, await saveMentions(id, named))
    },
    onSuccess: () => {
      counted(1)
      return refresh()
    },
    onError: (cause) => {
      logError('The comment was not saved', cause)
      showToast({ ...copy.comments.failed, description: reasonFor(cause) })
      if (isGone(cause)) void refresh()
    },
  })
  const change = useMutation({
    mutationFn: async ({ id, content, picked, named }: Changed) => {
      await saveComment(id, content)
      const fresh = namedIn(content, picked).filter(
        (one) => one.id !== memberId && !named.some(({ id }) => id === one.id),
      )
      void sendNotifications(id, { content, parent: null, picked }, await saveMentions(id, fresh), true)
    },
    onSuccess: refresh,
    onError: (cause) => {
      logError('The comment was not saved', cause)
      showToast({ ...copy.comments.failed, description: reasonFor(cause) })
      if (isGone(cause)) void refresh()
    },
  })
  const remove = useMutation({
    mutationFn: (id: string) => deleteComment(id),
    onMutate: (id) => patchComments(queryClient, post.id, (all) => all.filter((one) => one.id !== id)),
    onSuccess: () => counted(-1),
    onError: (cause) => {
      logError('The comment was not deleted', cause)
      showToast(copy.remove.failed)
    },
    onSettled: refresh,
  })
  return { write, change, remove: remove.mutate }
}
