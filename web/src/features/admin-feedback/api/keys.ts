/** The query keys of the feedback list. */
import { adminKeys } from '@/features/admin-shared/api/keys'

const all = adminKeys.feedback
export const feedbackKeys = {
  all,
  page: (status: string, category: string, page: number) => [...all, status, category, page] as const,
}
