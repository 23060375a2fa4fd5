/** The query keys of the feedback list. */
import { adminKeys } from '@/features/admin-shared/api/keys'

const all = adminKeys.feedback
export const feedbackKeys = {
  all,
  page: (view: object) => [...all, 'page', view] as const,
  entry: (id: string) => [...all, 'entry', id] as const,
  answers: (id: string) => [...all, 'answers', id] as const,
}
