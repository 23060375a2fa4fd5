/** Feed mutations: posts, comments with their mentions, reactions. */
import { randomId } from '@/lib/browser/random-id'
import type { StoredFile } from '@/lib/files/model'
import { describeFiles } from '@/lib/files/upload'
import { supabase } from '@/lib/supabase/client'
import { dataOf, isDuplicate } from '@/lib/supabase/errors'
import type { Mention, Post } from '../model'
import { postColumns } from './queries'

export type PostDraft = Pick<
  Post,
  'kind' | 'title' | 'content' | 'tags' | 'starts_at' | 'ends_at' | 'location' | 'link'
> & {
  pictures: StoredFile[]
}

/** The row's part; what its pictures show is said first, so that no reader finds them without. */
async function rowOf({ pictures, ...row }: PostDraft) {
  await describeFiles(pictures)
  return { ...row, pictures: pictures.map(({ address }) => address) }
}

/** The answer of the statement that ties them to the post does not list them yet. */
const withPictures = (post: Post, { pictures }: PostDraft): Post => ({
  ...post,
  files: pictures.map((file, index) => ({ ...file, position: index + 1 })),
})

/** A retry with the same id is the same post: an existing one counts as posted. Throws RequestError. */
export async function createPost(memberId: string, id: string, draft: PostDraft): Promise<Post> {
  const posts = supabase.from('posts')
  const row = { ...(await rowOf(draft)), id, user_id: memberId }
  try {
    const made = await posts.insert(row).select(postColumns).eq('mine.user_id', memberId).single()
    return withPictures(dataOf(made), draft)
  } catch (cause) {
    if (!isDuplicate(cause)) throw cause
    return dataOf(await posts.select(postColumns).eq('id', id).eq('mine.user_id', memberId).single())
  }
}

export async function savePost(memberId: string, postId: string, draft: PostDraft): Promise<Post> {
  const { data } = await supabase
    .from('posts')
    .update(await rowOf(draft))
    .eq('id', postId)
    .select(postColumns)
    .eq('mine.user_id', memberId)
    .single()
    .throwOnError()
  return withPictures(data, draft)
}

/** A post that is saved already stays saved. */
export async function savePostForLater(postId: string): Promise<void> {
  const { error } = await supabase.from('saved_posts').insert({ post_id: postId })
  if (error && error.code !== '23505') throw error
}

export async function unsavePost(postId: string): Promise<void> {
  await supabase.from('saved_posts').delete().eq('post_id', postId).throwOnError()
}

/** The member has read the guidance before a first post. */
export async function noteGuidance(): Promise<void> {
  await supabase.rpc('see_guidance').throwOnError()
}

export async function deletePost(postId: string): Promise<void> {
  await supabase.from('posts').delete().eq('id', postId).throwOnError()
}

export interface NewComment {
  id: string
  user_id: string
  post_id: string
  parent_id: string | null
  content: string
}

/** Whether it is new: a retry with the same id is the same comment. Throws RequestError. */
export async function createComment(comment: NewComment): Promise<boolean> {
  try {
    dataOf(await supabase.from('comments').insert(comment))
    return true
  } catch (cause) {
    if (!isDuplicate(cause)) throw cause
    return false
  }
}

/** Saves the mentions of the member's own comment, all of them or none; those that are there count as saved. */
export async function mention(commentId: string, mentions: readonly Mention[]): Promise<void> {
  if (mentions.length === 0) return
  const rows = mentions.map(({ mentionId, id }) => ({ id: mentionId, mentioned_user_id: id, comment_id: commentId }))
  try {
    dataOf(await supabase.from('mentions').insert(rows))
  } catch (cause) {
    if (!isDuplicate(cause)) throw cause
  }
}

export async function saveComment(commentId: string, content: string): Promise<void> {
  await supabase.from('comments').update({ content }).eq('id', commentId).select('id').single().throwOnError()
}

export async function deleteComment(commentId: string): Promise<void> {
  await supabase.from('comments').delete().eq('id', commentId).throwOnError()
}

export type Target = { post_id: string } | { comment_id: string }

/** Returns the id of the reaction; an existing one is returned as is. */
export async function react(memberId: string, target: Target): Promise<string> {
  const id = randomId()
  const { error } = await supabase.from('reactions').insert({ id, ...target })
  if (!error) return id
  if (error.code !== '23505') throw error
  const { data } = await supabase
    .from('reactions')
    .select('id')
    .eq('user_id', memberId)
    .match(target)
    .single()
    .throwOnError()
  return data.id
}

export async function unreact(memberId: string, target: Target): Promise<void> {
  await supabase.from('reactions').delete().eq('user_id', memberId).match(target).throwOnError()
}

/** A lesson that the member uses already stays used. */
export async function takeLesson(postId: string): Promise<void> {
  const { error } = await supabase.from('lesson_uses').insert({ post_id: postId })
  if (error && error.code !== '23505') throw error
}

export async function leaveLesson(postId: string): Promise<void> {
  await supabase.from('lesson_uses').delete().eq('post_id', postId).throwOnError()
}
