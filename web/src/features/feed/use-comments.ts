/** Writing, changing and deleting comments; who is told of them (§1.7, §3.17, §7.14). */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { tellMember } from '@/api/notices/tell-member'
import { nameOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { paths } from '@/config/paths'
import { logError, messageOf } from '@/lib/log'
import { notify } from '@/lib/notify'
import { randomId } from '@/lib/random-id'
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

export function useComments(post: Post) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: feedKeys.comments(post.id) })
  const counted = (step: number) =>
    patchPost(queryClient, post.id, (one) => ({ ...one, comment_count: Math.max(0, one.comment_count + step) }))

  const tell = async (commentId: string, { content, parent }: Written, named: (Named & { mentionId: string })[]) => {
    const name = nameOf(await queryClient.ensureQueryData(profileQuery(memberId)))
    const about = { actorId: memberId, content, referenceId: post.id, url: paths.post(post.id) }
    for (const { id, mentionId } of named) {
      await tellMember({
        ...about,
        recipientId: id,
        type: 'mention',
        title: copy.notices.mentioned(name),
        deed: { mention_id: mentionId, comment_id: commentId },
      })
    }
    const told = new Set([memberId, ...named.map(({ id }) => id)])
    const others: [string | null | undefined, string][] = [
      [parent?.user_id, copy.notices.answered(name)],
      [post.user_id, copy.notices.commented(name)],
    ]
    for (const [recipientId, title] of others) {
      if (!recipientId || told.has(recipientId)) continue
      told.add(recipientId)
      await tellMember({ ...about, recipientId, type: 'comment', title, deed: { comment_id: commentId } })
    }
  }

  const write = useMutation({
    mutationFn: async (written: Written) => {
      const id = randomId()
      await createComment({ id, post_id: post.id, parent_id: written.parent?.id ?? null, content: written.content })
      const named = namedIn(written.content, written.picked)
        .filter((one) => one.id !== memberId)
        .slice(0, 10)
      const mentioned = await mention(id, named).catch((cause: unknown) => {
        logError('The mentions were not saved', cause)
        notify({ ...copy.comments.mentionFailed, description: messageOf(cause, '') })
        return []
      })
      void tell(id, written, mentioned)
    },
    onSuccess: () => {
      counted(1)
      return refresh()
    },
    onError: (cause) => {
      logError('The comment was not saved', cause)
      notify({ ...copy.comments.failed, description: messageOf(cause, copy.comments.failed.description) })
    },
  })
  const change = useMutation({
    mutationFn: ({ id, content }: { id: string; content: string }) => saveComment(id, content),
    onSuccess: refresh,
    onError: (cause) => {
      logError('The comment was not saved', cause)
      notify(copy.comments.failed)
    },
  })
  const remove = useMutation({
    mutationFn: (id: string) => deleteComment(id),
    onMutate: (id) => patchComments(queryClient, post.id, (all) => all.filter((one) => one.id !== id)),
    onSuccess: () => counted(-1),
    onError: (cause) => {
      logError('The comment was not deleted', cause)
      notify(copy.remove.failed)
    },
    onSettled: refresh,
  })
  return { write, change, remove: remove.mutate }
}
