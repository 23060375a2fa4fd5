/** How single posts and comments change in every list that shows them. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Comment, Post } from '../model'
import { feedKeys } from './keys'

type Pages = InfiniteData<Post[]>

export function patchPost(queryClient: QueryClient, postId: string, patch: (post: Post) => Post): void {
  queryClient.setQueriesData<Pages>(
    { queryKey: feedKeys.lists() },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => page.map((post) => (post.id === postId ? patch(post) : post))),
      },
  )
  queryClient.setQueryData<Post | null>(feedKeys.post(postId), (post) => post && patch(post))
}

export function dropPost(queryClient: QueryClient, postId: string): void {
  queryClient.setQueriesData<Pages>(
    { queryKey: feedKeys.lists() },
    (list) => list && { ...list, pages: list.pages.map((page) => page.filter((post) => post.id !== postId)) },
  )
  queryClient.setQueryData(feedKeys.post(postId), null)
}

export function patchComments(queryClient: QueryClient, postId: string, patch: (all: Comment[]) => Comment[]): void {
  queryClient.setQueryData<Comment[]>(feedKeys.comments(postId), (all) => all && patch(all))
}
