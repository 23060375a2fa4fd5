export const blogKeys = {
  all: ['blog'] as const,
  list: (limit: number | null) => [...blogKeys.all, 'list', limit] as const,
  post: (slug: string) => [...blogKeys.all, 'post', slug] as const,
  authors: (ids: readonly string[]) => [...blogKeys.all, 'authors', ...ids] as const,
}
