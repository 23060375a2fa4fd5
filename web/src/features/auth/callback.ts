/** Parses the callback URL of a link in an e-mail (§2.4). Pure. */
import { paths } from '@/config/paths'
import { safeOrigin } from '@/lib/browser/origin'

export type Callback =
  | { kind: 'code'; code: string; next: string }
  | { kind: 'token-hash'; tokenHash: string; type: OtpType; next: string }
  | { kind: 'tokens'; accessToken: string; refreshToken: string; next: string }
  | { kind: 'error'; code: string; message: string; next: string }
  | { kind: 'first-of-two'; next: string }
  | { kind: 'nothing'; next: string }

const otpTypes = ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'] as const
type OtpType = (typeof otpTypes)[number]
const isOtpType = (type: string | null): type is OtpType => otpTypes.some((known) => known === type)

/** Recovery and invitation lead to choosing a password, whatever `next` is. */
const choosesPassword = (type: string | null) => type === 'recovery' || type === 'invite'

export function parseCallback(href: string): Callback {
  const url = new URL(href)
  const fragment = new URLSearchParams(url.hash.slice(1))
  const read = (name: string) => url.searchParams.get(name) ?? fragment.get(name)

  const type = read('type')
  const requested = safeOrigin(url.searchParams.get('next'), url.origin) ?? paths.feed
  const next = choosesPassword(type) ? paths.newPassword : requested

  if (read('error') ?? read('error_code') ?? read('error_description')) {
    const code = read('error_code') ?? read('error') ?? ''
    return { kind: 'error', code, message: read('error_description') ?? '', next }
  }
  const tokenHash = read('token_hash')
  if (tokenHash && isOtpType(type)) return { kind: 'token-hash', tokenHash, type, next }
  const code = url.searchParams.get('code')
  if (code) return { kind: 'code', code, next }
  const accessToken = fragment.get('access_token')
  const refreshToken = fragment.get('refresh_token')
  if (accessToken && refreshToken) return { kind: 'tokens', accessToken, refreshToken, next }
  // A changed address is confirmed from both mailboxes: the first of the two links brings a message instead of a session.
  if (fragment.has('message')) return { kind: 'first-of-two', next }
  return { kind: 'nothing', next }
}

/**
 * Whether a link surely leaves `memberId` signed in: it brings no session, a code (good only where it was asked for), or
 * a token of that member. An expired token proves nothing: the client would exchange the refresh token beside it.
 */
export function staysWith(callback: Callback, memberId: string, nowMs: number): boolean {
  if (callback.kind === 'token-hash') return false
  if (callback.kind !== 'tokens') return true
  try {
    const payload = callback.accessToken.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))
    if (typeof claims !== 'object' || claims === null || !('sub' in claims) || !('exp' in claims)) return false
    return claims.sub === memberId && typeof claims.exp === 'number' && claims.exp * 1000 > nowMs + 30_000
  } catch {
    return false
  }
}

export type LinkFailure = 'expired' | 'other-browser' | 'missing' | 'unreachable' | 'unknown'

/** Why a link did not work, from the service's error code. */
export function failureOf(code: string | undefined, name = ''): LinkFailure {
  if (code === 'otp_expired' || code === 'flow_state_expired' || code === 'access_denied') return 'expired'
  if (code === 'bad_code_verifier' || code === 'pkce_code_verifier_not_found' || code === 'flow_state_not_found') {
    return 'other-browser'
  }
  if (name === 'AuthRetryableFetchError') return 'unreachable'
  return /CodeVerifier/.test(name) ? 'other-browser' : 'unknown'
}
