/** The query keys of the blog administration. */
import { adminKeys } from '@/features/admin-shared/api/keys'

const all = [...adminKeys.all, 'articles'] as const
export const articleKeys = {
  all,
  page: (view: object) => [...all, 'page', view] as const,
  categories: [...all, 'categories'] as const,
  article: (id: string) => [...all, id] as const,
}
