export interface FeedFilter {
  kind: string | null
  authorId: string | null
}

export const feedKeys = {
  all: ['feed'] as const,
  lists: () => [...feedKeys.all, 'posts'] as const,
  posts: (filter: FeedFilter) => [...feedKeys.lists(), filter] as const,
  post: (postId: string) => [...feedKeys.all, 'post', postId] as const,
  comments: (postId: string) => [...feedKeys.all, 'comments', postId] as const,
  newer: (than: string, kind: string | null) => [...feedKeys.all, 'newer', than, kind] as const,
  training: () => [...feedKeys.all, 'training'] as const,
}
