/** Posts and comments in the outbox: how they are sent, and those that are not (§17.2). */
import type { QueryClient } from '@tanstack/react-query'
import { sharedKeys } from '@/api/keys'
import { profileQuery } from '@/api/profiles/queries'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { randomId } from '@/lib/browser/random-id'
import type { Draft, Entry } from '@/lib/device/outbox/entry'
import type { Handler } from '@/lib/device/outbox/outbox'
import { useUnsent } from '@/lib/device/outbox/use-outbox'
import { verdictOf } from '@/lib/device/outbox/verdict'
import { changeRows, type Paged } from '@/lib/live-lists/keyset'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { patchPost } from './api/cache'
import { feedKeys } from './api/keys'
import { createComment, createPost, mention, noteGuidance, type PostDraft } from './api/mutations'
import { notifyOfComment } from './comment-notifications'
import { copy } from './copy'
import type { Comment, Mention, Post } from './model'

const postKind = 'post'
const commentKind = 'comment'

export const postEntry = (draft: PostDraft): Draft => ({
  id: randomId(),
  kind: postKind,
  lane: 'posts',
  place: paths.feed,
  payload: draft,
})

export interface WrittenComment {
  postId: string
  postAuthorId: string | null
  /** The comment it answers, and whose that is. */
  parent: { id: string; authorId: string | null } | null
  content: string
  mentions: readonly Mention[]
}

const laneOf = (postId: string) => `comments ${postId}`

export const commentEntry = (
  post: Post,
  parent: Comment | null,
  content: string,
  mentions: readonly Mention[],
): Draft => {
  const written: WrittenComment = {
    postId: post.id,
    postAuthorId: post.user_id,
    parent: parent && { id: parent.id, authorId: parent.user_id },
    content,
    mentions,
  }
  return { id: randomId(), kind: commentKind, lane: laneOf(post.id), place: paths.post(post.id), payload: written }
}

/** Posts that are not sent, oldest first. */
export const useUnsentPosts = () => useUnsent<PostDraft>(postKind)

/** Comments of this post that are not sent, oldest first. */
export const useUnsentComments = (postId: string) => useUnsent<WrittenComment>(commentKind, laneOf(postId))

const draftOf = (entry: Entry) => entry.payload as PostDraft
const commentOf = (entry: Entry) => entry.payload as WrittenComment

/** Puts the member's own post at the top of the lists that show it. */
function addPost(queryClient: QueryClient, memberId: string, post: Post): void {
  const isListed = (pages: Post[][]) => pages.flat().some(({ id }) => id === post.id)
  for (const kind of [null, post.kind]) {
    queryClient.setQueryData<Paged<Post>>(feedKeys.posts({ kind, authorId: null }), (list) =>
      changeRows(list, (pages) =>
        isListed(pages) ? pages : pages.map((page, index) => (index === 0 ? [post, ...page] : page)),
      ),
    )
  }
  void queryClient.invalidateQueries({ queryKey: feedKeys.posts({ kind: null, authorId: memberId }) })
  if (post.kind === 'training') void queryClient.invalidateQueries({ queryKey: feedKeys.training() })
}

export const postHandler = (queryClient: QueryClient): Handler => ({
  send: (entry) => createPost(entry.memberId, entry.id, draftOf(entry)),
  sent: ({ memberId, result }) => addPost(queryClient, memberId, result as Post),
  after: async ({ memberId }) => {
    const me = await queryClient.ensureQueryData(profileQuery(memberId))
    if (me?.guidance_seen_at !== null) return
    await noteGuidance()
    await queryClient.invalidateQueries({ queryKey: sharedKeys.profile(memberId) })
  },
})

/** The comment is there already: only a missing network is worth another attempt. */
async function saveMentions(commentId: string, mentions: readonly Mention[]): Promise<void> {
  try {
    await mention(commentId, mentions)
  } catch (cause) {
    if (verdictOf(cause) !== 'refused') throw cause
    logError('The mentions were not saved', cause)
    showToast({ ...copy.comments.mentionFailed, description: rejectionMessage(cause, '') })
  }
}

export const commentHandler = (queryClient: QueryClient): Handler => ({
  send: async (entry) => {
    const { postId, parent, content, mentions } = commentOf(entry)
    const row = { id: entry.id, user_id: entry.memberId, post_id: postId, parent_id: parent?.id ?? null, content }
    const isNew = await createComment(row)
    await saveMentions(entry.id, mentions)
    return { isNew }
  },
  sent: (entry) => {
    const { postId } = commentOf(entry)
    const { isNew } = entry.result as { isNew: boolean }
    if (isNew) patchPost(queryClient, postId, (post) => ({ ...post, comment_count: post.comment_count + 1 }))
    void queryClient.invalidateQueries({ queryKey: feedKeys.comments(postId) })
  },
  after: (entry) => notifyOfComment(queryClient, entry.memberId, entry.id, commentOf(entry)),
})
