/** Values derived for the admin waitlist: its view from the URL, CSV, quiz answers. Pure. */
import { oneOf, pageOf } from '@/features/admin-shared/model'

export const waitlistStatuses = ['waitlist', 'pending', 'invited', 'active'] as const

export type WaitlistStatus = (typeof waitlistStatuses)[number]

export interface WaitlistView {
  search: string
  standing: string
  kind: string
  years: string
  page: number
  oldestFirst: boolean
  /** The dialog for an address that never joined is open. */
  inviting: boolean
}

export const parseWaitlistView = (params: URLSearchParams): WaitlistView => ({
  search: params.get('search') ?? '',
  standing: oneOf(['', ...waitlistStatuses], params.get('status'), ''),
  kind: params.get('type') ?? '',
  years: params.get('years') ?? '',
  page: pageOf(params.get('page')),
  oldestFirst: params.get('order') === 'oldest',
  inviting: params.get('invite') === 'new',
})

/** What the database accepts as an address. */
export const isAddress = (text: string) => text.length <= 254 && /^[^@\s]+@[^@\s]+$/.test(text)

/** The answers inside linkedin_missing (§3.23); malformed values count as no answer. */
export interface QuizAnswers {
  platforms: string[]
  platformOther: string
  frustrations: string
  wishlist: string
}

export function parseQuizAnswers(json: string | null): QuizAnswers {
  const none = { platforms: [], platformOther: '', frustrations: '', wishlist: '' }
  try {
    const parsed: unknown = JSON.parse(json ?? 'null')
    if (typeof parsed !== 'object' || parsed === null) return none
    const fields = parsed as Record<string, unknown>
    const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
    const list = fields.connection_platforms
    return {
      platforms: Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [],
      platformOther: text('connection_platforms_other'),
      frustrations: text('platform_frustrations'),
      wishlist: text('platform_wishlist'),
    }
  } catch {
    return none
  }
}
