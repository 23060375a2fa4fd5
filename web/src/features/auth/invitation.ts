/** Parses an invitation link, and maps a waitlist entry to what the page shows. Pure. */

const statuses = ['invited', 'expired', 'used', 'waiting'] as const

export type InvitationStatus = (typeof statuses)[number] | 'unknown'

/** The status of an address in the database; an unknown address has none. */
export const statusOf = (status: unknown): InvitationStatus => statuses.find((known) => known === status) ?? 'unknown'

/** Address and token in the link, if any; and whether the auth service redirected here because a link had expired. */
export function parseInvitation(href: string): { email: string; token: string; expired: boolean } {
  const url = new URL(href)
  const fragment = new URLSearchParams(url.hash.slice(1))
  const failed = url.searchParams.get('error_code') ?? fragment.get('error_code') ?? fragment.get('error')
  const email = (url.searchParams.get('email') ?? '').trim().toLowerCase()
  const token = url.searchParams.get('token') ?? ''
  return {
    email: /^[^\s@]+@[^\s@]+$/.test(email) ? email : '',
    token: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(token) ? token : '',
    expired: failed !== null,
  }
}
