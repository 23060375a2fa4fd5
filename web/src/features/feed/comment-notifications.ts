/** Who is told of a comment: those it names, whom it answers, whose post it is about (§3.17, §7.14). */
import type { QueryClient } from '@tanstack/react-query'
import { notifyMember } from '@/api/notifications/notify-member'
import { nameOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { paths } from '@/config/paths'
import { combinedId } from '@/lib/browser/random-id'
import { copy } from './copy'
import type { Mention } from './model'

interface About {
  postId: string
  content: string
  mentions: readonly Mention[]
}

/** Those who are named for the first time. */
export async function notifyOfMentions(
  queryClient: QueryClient,
  memberId: string,
  commentId: string,
  { postId, content, mentions }: About,
): Promise<void> {
  const name = nameOf(await queryClient.ensureQueryData(profileQuery(memberId)))
  for (const { id, mentionId } of mentions) {
    await notifyMember({
      id: combinedId(mentionId, id),
      recipientId: id,
      actorId: memberId,
      type: 'mention',
      title: copy.notifications.mentioned(name),
      content,
      referenceId: postId,
      url: paths.post(postId),
      event: { mention_id: mentionId, comment_id: commentId },
    })
  }
}

interface Written extends About {
  postAuthorId: string | null
  parent: { authorId: string | null } | null
}

export async function notifyOfComment(
  queryClient: QueryClient,
  memberId: string,
  commentId: string,
  written: Written,
): Promise<void> {
  const { postId, content, mentions, parent, postAuthorId } = written
  await notifyOfMentions(queryClient, memberId, commentId, written)
  const name = nameOf(await queryClient.ensureQueryData(profileQuery(memberId)))
  const notified = new Set([memberId, ...mentions.map(({ id }) => id)])
  const others = [
    { id: parent?.authorId, title: copy.notifications.answered(name) },
    { id: postAuthorId, title: copy.notifications.commented(name) },
  ]
  for (const { id, title } of others) {
    if (!id || notified.has(id)) continue
    notified.add(id)
    await notifyMember({
      id: combinedId(commentId, id),
      recipientId: id,
      actorId: memberId,
      type: 'comment',
      title,
      content,
      referenceId: postId,
      url: paths.post(postId),
      event: { comment_id: commentId },
    })
  }
}
