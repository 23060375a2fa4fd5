/** The query keys of the feedback list. */
import { adminKeys } from '@/features/admin-shared/api/keys'

const all = [...adminKeys.all, 'feedback'] as const
export const feedbackKeys = {
  all,
  page: (status: string, category: string, page: number) => [...all, status, category, page] as const,
}
