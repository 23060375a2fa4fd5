/** Parses an invitation link, and what a waitlist entry means for it. Pure. */

const standings = ['invited', 'expired', 'used', 'waiting'] as const

export type Standing = (typeof standings)[number] | 'unknown'

/** The database's word for where an address stands; an address it does not know has none. */
export const standingOf = (word: unknown): Standing => standings.find((one) => one === word) ?? 'unknown'

/** The address in the link, if any; and whether the sign-in service sent the visitor here because a link was too old. */
export function parseInvitation(href: string): { email: string; expired: boolean } {
  const url = new URL(href)
  const fragment = new URLSearchParams(url.hash.slice(1))
  const failed = url.searchParams.get('error_code') ?? fragment.get('error_code') ?? fragment.get('error')
  const email = (url.searchParams.get('email') ?? '').trim().toLowerCase()
  return { email: /^[^\s@]+@[^\s@]+$/.test(email) ? email : '', expired: failed !== null }
}
