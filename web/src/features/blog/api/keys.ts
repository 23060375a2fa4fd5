export const blogKeys = {
  all: ['blog'] as const,
  featured: (limit: number) => [...blogKeys.all, 'featured', limit] as const,
  lists: () => [...blogKeys.all, 'list'] as const,
  list: (topic: string | null) => [...blogKeys.lists(), topic] as const,
  found: (term: string) => [...blogKeys.all, 'found', term] as const,
  related: (articleId: string) => [...blogKeys.all, 'related', articleId] as const,
  topics: () => [...blogKeys.all, 'topics'] as const,
  post: (slug: string) => [...blogKeys.all, 'post', slug] as const,
  authors: (ids: readonly string[]) => [...blogKeys.all, 'authors', ...ids] as const,
}
