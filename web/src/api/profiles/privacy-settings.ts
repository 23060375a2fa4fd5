/** Who may see and message the member (§3.3-10). Pure. */

export const visibilities = ['public', 'connections', 'private'] as const
type Visibility = (typeof visibilities)[number]

export type PrivacySettings = {
  profile_visibility: Visibility
  connection_visibility: Visibility
  allow_messages_from_anyone: boolean
  daily_message_limit_reached: boolean
  non_connection_messages_today: number
  /** §3.9: passed through as is. */
  last_limit_reset: unknown
}

const isVisibility = (value: unknown): value is Visibility => visibilities.some((known) => known === value)

/** §3.10: null unless it is an object; fields of a wrong type fall back to their defaults. */
export function parsePrivacySettings(stored: unknown): PrivacySettings | null {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null
  const given = stored as Record<string, unknown>
  const bool = (name: string, otherwise: boolean) => {
    const value = given[name]
    return typeof value === 'boolean' ? value : otherwise
  }
  const count = given.non_connection_messages_today
  return {
    profile_visibility: isVisibility(given.profile_visibility) ? given.profile_visibility : 'public',
    connection_visibility: isVisibility(given.connection_visibility) ? given.connection_visibility : 'connections',
    allow_messages_from_anyone: bool('allow_messages_from_anyone', true),
    daily_message_limit_reached: bool('daily_message_limit_reached', false),
    non_connection_messages_today: typeof count === 'number' ? count : 0,
    last_limit_reset: given.last_limit_reset,
  }
}

export const defaultPrivacy = (): PrivacySettings => ({
  profile_visibility: 'public',
  connection_visibility: 'connections',
  allow_messages_from_anyone: true,
  daily_message_limit_reached: false,
  non_connection_messages_today: 0,
  last_limit_reset: null,
})
