/** What an invitation link tells, and what a waitlist entry means for it. Pure. */

export type Standing = 'invited' | 'used' | 'waiting' | 'unknown'

export function standingOf(status: string | undefined): Standing {
  if (status === 'invited') return 'invited'
  if (status === 'active') return 'used'
  return status === undefined ? 'unknown' : 'waiting'
}

/** The address in the link, if any; and whether the sign-in service sent the visitor here because a link was too old. */
export function parseInvitation(href: string): { email: string; expired: boolean } {
  const url = new URL(href)
  const fragment = new URLSearchParams(url.hash.slice(1))
  const failed = url.searchParams.get('error_code') ?? fragment.get('error_code') ?? fragment.get('error')
  const email = (url.searchParams.get('email') ?? '').trim().toLowerCase()
  return { email: /^[^\s@]+@[^\s@]+$/.test(email) ? email : '', expired: failed !== null }
}
