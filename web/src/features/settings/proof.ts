/** Whether the session was recently authenticated without a password (by a link or a provider). Pure. */

/** Half of what the database allows (ten minutes): the user needs time to confirm. */
const freshForMs = 5 * 60_000

interface Proof {
  method: string
  timestamp: number
}

const isProof = (entry: unknown): entry is Proof =>
  typeof entry === 'object' &&
  entry !== null &&
  'method' in entry &&
  typeof entry.method === 'string' &&
  'timestamp' in entry &&
  typeof entry.timestamp === 'number'

function claimsOf(accessToken: string): unknown {
  try {
    const payload = accessToken.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))
  } catch {
    return null
  }
}

/** The authentication methods in a token (its `amr` claim), with their times. */
function proofsOf(accessToken: string): Proof[] {
  const claims = claimsOf(accessToken)
  if (typeof claims !== 'object' || claims === null || !('amr' in claims) || !Array.isArray(claims.amr)) return []
  return claims.amr.filter(isProof)
}

const weak = ['password', 'anonymous', 'token_refresh']

/** The password is required whenever the account has one. */
export const isRecentlyAuthenticated = (accessToken: string, nowMs: number): boolean =>
  proofsOf(accessToken).some(
    ({ method, timestamp }) => !weak.includes(method) && Math.abs(nowMs - timestamp * 1000) < freshForMs,
  )
