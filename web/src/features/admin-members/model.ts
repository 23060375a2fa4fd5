/** The view of the member list, from its URL. Pure. */
import type { MembersView } from '@/features/admin-shared/api/queries'
import { oneOf, pageOf } from '@/features/admin-shared/model'

export const sorts = ['joined', 'name', 'email', 'department', 'last_sign_in'] as const
const standings = ['all', 'admins', 'suspended', 'unconfirmed'] as const

const areas = ['', 'members', 'waitlist', 'feedback', 'blog', 'content'] as const

export const parseAuditView = (params: URLSearchParams) => ({
  search: params.get('search') ?? '',
  area: oneOf(areas, params.get('area'), ''),
})

export const parseMembersView = (params: URLSearchParams): MembersView => ({
  search: params.get('search') ?? '',
  standing: oneOf(standings, params.get('standing'), 'all'),
  sort: oneOf(sorts, params.get('sort'), 'joined'),
  descending: params.get('order') !== 'up',
  page: pageOf(params.get('page')),
})
