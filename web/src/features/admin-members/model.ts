/** The view of the member list, from its URL, and what can be done to a member. Pure. */
import type { Member, MembersView } from '@/features/admin-shared/api/queries'
import { oneOf, pageOf } from '@/features/admin-shared/model'
import type { MemberAction } from './api/mutations'

export const sorts = ['joined', 'name', 'email', 'department', 'last_sign_in'] as const
const standings = ['all', 'admins', 'suspended', 'unconfirmed'] as const

/** §3.2. */
export const kinds = ['Career', 'Volunteer', 'Combination', 'Wildland', 'Industrial'] as const

const areas = ['', 'members', 'waitlist', 'feedback', 'blog', 'content'] as const

export const parseAuditView = (params: URLSearchParams) => ({
  search: params.get('search') ?? '',
  area: oneOf(areas, params.get('area'), ''),
})

export const parseMembersView = (params: URLSearchParams): MembersView => ({
  search: params.get('search') ?? '',
  standing: oneOf(standings, params.get('standing'), 'all'),
  kind: oneOf(['', ...kinds], params.get('type'), ''),
  sort: oneOf(sorts, params.get('sort'), 'joined'),
  descending: params.get('order') !== 'up',
  page: pageOf(params.get('page')),
})

/** The actions on a member: an admin loses the role first, and nobody acts on themselves. The database says so, too. */
export function actionsOn({ admin, suspended }: Pick<Member, 'admin' | 'suspended'>, isSelf: boolean): MemberAction[] {
  if (isSelf) return []
  if (admin) return ['revoke']
  return suspended ? ['restore', 'delete'] : ['grant', 'suspend', 'delete']
}
