/** Updates single posts and comments in every list that contains them. */
import type { QueryClient } from '@tanstack/react-query'
import { changeRows, type Paged } from '@/lib/live-lists/keyset'
import type { Comment, Post } from '../model'
import { feedKeys } from './keys'

export function patchPost(queryClient: QueryClient, postId: string, patch: (post: Post) => Post): void {
  queryClient.setQueriesData<Paged<Post>>({ queryKey: feedKeys.lists() }, (list) =>
    changeRows(list, (pages) => pages.map((page) => page.map((post) => (post.id === postId ? patch(post) : post)))),
  )
  queryClient.setQueryData<Post | null>(feedKeys.post(postId), (post) => post && patch(post))
}

/** Whether any list, or the post's own page, has it. */
export const hasPost = (queryClient: QueryClient, postId: string): boolean =>
  queryClient.getQueryData(feedKeys.post(postId)) !== undefined ||
  queryClient
    .getQueriesData<Paged<Post>>({ queryKey: feedKeys.lists() })
    .some(([, list]) => list?.pages.some(({ rows }) => rows.some(({ id }) => id === postId)))

export function dropPost(queryClient: QueryClient, postId: string): void {
  queryClient.setQueriesData<Paged<Post>>({ queryKey: feedKeys.lists() }, (list) =>
    changeRows(list, (pages) => pages.map((page) => page.filter((post) => post.id !== postId))),
  )
  queryClient.setQueryData<Post | null>(feedKeys.post(postId), (post) => (post === undefined ? post : null))
}

/** `patch` receives the loaded comments, page by page. */
export function patchComments(queryClient: QueryClient, postId: string, patch: (some: Comment[]) => Comment[]): void {
  queryClient.setQueryData<Paged<Comment>>(feedKeys.comments(postId), (list) =>
    changeRows(list, (pages) => pages.map(patch)),
  )
}
