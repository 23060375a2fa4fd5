/** The query keys of the blog administration. */
import { adminKeys } from '@/features/admin-shared/api/keys'

const all = [...adminKeys.all, 'articles'] as const
export const articleKeys = {
  all,
  article: (id: string) => [...all, id] as const,
}
