/** Query keys shared by several parts of the admin area. */
import { sharedKeys } from '@/api/keys'
import type { MembersView } from './queries'

const all = ['admin'] as const
export const adminKeys = {
  all,
  checks: ['admin-check'] as const,
  check: (memberId: string) => ['admin-check', memberId] as const,
  access: ['admin-access'] as const,
  totals: [...all, 'totals'] as const,
  events: [...all, 'events'] as const,
  feedback: [...all, 'feedback'] as const,
  reports: [...all, 'reports'] as const,
  auditLog: [...all, 'audit-log'] as const,
  members: [...all, 'members'] as const,
  membersPage: (view: MembersView) => [...all, 'members', 'page', view] as const,
  waitlistCounts: [...sharedKeys.adminWaitlist, 'counts'] as const,
}
