/** The query keys of the dashboard. */
import { adminKeys } from '@/features/admin-shared/api/keys'

export const dashboardKeys = {
  figures: (weeks: number) => [...adminKeys.all, 'figures', weeks] as const,
  types: [...adminKeys.all, 'types'] as const,
  jobs: [...adminKeys.all, 'jobs'] as const,
  quiz: [...adminKeys.all, 'quiz'] as const,
}
