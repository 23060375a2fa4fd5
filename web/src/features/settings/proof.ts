/** Whether the session was just authenticated by other means than the password (a link, a provider). Pure. */

/** Half of what the database allows (ten minutes): reading the question takes time. */
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

/** The ways a token says its session was proved by, with their times. */
function proofsOf(accessToken: string): Proof[] {
  const claims = claimsOf(accessToken)
  if (typeof claims !== 'object' || claims === null || !('amr' in claims) || !Array.isArray(claims.amr)) return []
  return claims.amr.filter(isProof)
}

const weak = ['password', 'anonymous', 'token_refresh']

/** A password is asked for again whenever there is one to ask for. */
export const isJustProved = (accessToken: string, nowMs: number): boolean =>
  proofsOf(accessToken).some(
    ({ method, timestamp }) => !weak.includes(method) && Math.abs(nowMs - timestamp * 1000) < freshForMs,
  )
