/** The cache keys of the admin area. */
import { sharedKeys } from '@/api/keys'
import type { MembersView, WaitlistView } from '../model'

const all = ['admin'] as const
export const adminKeys = {
  all,
  checks: ['admin-check'] as const,
  check: (memberId: string) => ['admin-check', memberId] as const,
  totals: [...all, 'totals'] as const,
  figures: (weeks: number) => [...all, 'figures', weeks] as const,
  types: [...all, 'types'] as const,
  recent: [...all, 'recent'] as const,
  quiz: [...all, 'quiz'] as const,
  waitlist: sharedKeys.adminWaitlist,
  waitlistPage: (view: WaitlistView) => [...sharedKeys.adminWaitlist, 'page', view] as const,
  waitlistCounts: [...sharedKeys.adminWaitlist, 'counts'] as const,
  members: [...all, 'members'] as const,
  membersPage: (view: MembersView) => [...all, 'members', 'page', view] as const,
  memberFigures: (id: string) => [...all, 'members', 'figures', id] as const,
  log: [...all, 'acts'] as const,
  acts: (memberId: string | null, area: string) => [...all, 'acts', memberId, area] as const,
  feedback: [...all, 'feedback'] as const,
  feedbackPage: (status: string, category: string, page: number) =>
    [...all, 'feedback', status, category, page] as const,
  articles: [...all, 'articles'] as const,
}
