export interface FeedFilter {
  kind: string | null
  authorId: string | null
  /** Left out for posts of any tag. */
  tag?: string | undefined
}

export const feedKeys = {
  all: ['feed'] as const,
  lists: () => [...feedKeys.all, 'posts'] as const,
  posts: (filter: FeedFilter) => [...feedKeys.lists(), filter] as const,
  post: (postId: string) => [...feedKeys.all, 'post', postId] as const,
  comments: (postId: string) => [...feedKeys.all, 'comments', postId] as const,
  newest: () => [...feedKeys.all, 'newer'] as const,
  newer: (than: string, kind: string | null, tag: string | null) => [...feedKeys.newest(), than, kind, tag] as const,
  mostUseful: (memberId: string) => [...feedKeys.all, 'most-useful', memberId] as const,
  useKinds: (postId: string, count: number) => [...feedKeys.all, 'use-kinds', postId, count] as const,
  saved: () => [...feedKeys.all, 'saved'] as const,
  training: () => [...feedKeys.all, 'training'] as const,
}
