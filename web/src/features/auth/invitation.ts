/** Parses an invitation link, and maps a waitlist entry to what the page shows. Pure. */

const statuses = ['invited', 'expired', 'used', 'waiting'] as const

export type InvitationStatus = (typeof statuses)[number] | 'unknown'

/** The status of an address in the database; an unknown address has none. */
export const statusOf = (status: unknown): InvitationStatus => statuses.find((known) => known === status) ?? 'unknown'

/** The address in the link, if any; and whether the auth service redirected here because a link had expired. */
export function parseInvitation(href: string): { email: string; expired: boolean } {
  const url = new URL(href)
  const fragment = new URLSearchParams(url.hash.slice(1))
  const failed = url.searchParams.get('error_code') ?? fragment.get('error_code') ?? fragment.get('error')
  const email = (url.searchParams.get('email') ?? '').trim().toLowerCase()
  return { email: /^[^\s@]+@[^\s@]+$/.test(email) ? email : '', expired: failed !== null }
}
