/** Creating, editing and deleting comments (§1.7, §3.17, §7.14, §17.2). */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemberId } from '@/api/session/auth-context'
import { logError } from '@/lib/browser/log'
import { randomId } from '@/lib/browser/random-id'
import { submit } from '@/lib/device/outbox/use-outbox'
import { isGone, rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { patchComments, patchPost } from './api/cache'
import { feedKeys } from './api/keys'
import { deleteComment, mention, saveComment } from './api/mutations'
import { notifyOfMentions } from './comment-notifications'
import { copy } from './copy'
import { keepCommentDraft } from './drafts'
import { type Comment, type Mention, type Named, namedIn, type Post } from './model'
import { commentEntry } from './outbox'

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

/** A comment mentions ten members at most. */
const mostMentions = 10

const mentionOf = (one: Named): Mention => ({ ...one, mentionId: randomId() })

/** Why a comment was refused. */
export const reasonFor = (cause: unknown) =>
  isGone(cause) ? copy.gone : rejectionMessage(cause, copy.comments.failed.description)

export function useComments(post: Post) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: feedKeys.comments(post.id) })
  const draft = (parent: Comment | null, text: string) => keepCommentDraft(memberId, parent?.id ?? post.id, text)
  const onRefused = (cause: unknown) => {
    logError('The comment was not saved', cause)
    showToast({ ...copy.comments.failed, description: reasonFor(cause) })
    if (isGone(cause)) void refresh()
  }

  const write = useMutation({
    networkMode: 'always', // without network it waits in the outbox
    mutationFn: async ({ content, parent, picked }: Written) => {
      const mentions = namedIn(content, picked)
        .filter((one) => one.id !== memberId)
        .slice(0, mostMentions)
        .map(mentionOf)
      const outcome = await submit(commentEntry(post, parent, content, mentions), 'form', () => draft(parent, ''))
      if (outcome.state === 'refused') throw new Error(outcome.refusal.message, { cause: outcome.refusal })
      return outcome
    },
    onSuccess: ({ state }) => (state === 'sent' ? refresh() : undefined),
    onError: ({ cause }, { content, parent }) => {
      draft(parent, content)
      onRefused(cause)
    },
  })
  const change = useMutation({
    mutationFn: async ({ id, content, picked, named }: Changed) => {
      await saveComment(id, content)
      const mentions = namedIn(content, picked)
        .filter((one) => one.id !== memberId && !named.some(({ id }) => id === one.id))
        .map(mentionOf)
      const about = { postId: post.id, content, mentions }
      await mention(id, mentions).then(
        () => void notifyOfMentions(queryClient, memberId, id, about),
        (cause: unknown) => {
          logError('The mentions were not saved', cause)
          showToast({ ...copy.comments.mentionFailed, description: rejectionMessage(cause, '') })
        },
      )
    },
    onSuccess: refresh,
    onError: onRefused,
  })
  const remove = useMutation({
    mutationFn: (id: string) => deleteComment(id),
    onMutate: (id) => patchComments(queryClient, post.id, (all) => all.filter((one) => one.id !== id)),
    onSuccess: () =>
      patchPost(queryClient, post.id, (one) => ({ ...one, comment_count: Math.max(0, one.comment_count - 1) })),
    onError: (cause) => {
      logError('The comment was not deleted', cause)
      showToast(copy.remove.failed)
    },
    onSettled: refresh,
  })
  return { write, change, remove: remove.mutate }
}
