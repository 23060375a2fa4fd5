/** What an access token says of its session. Pure; only the server can verify it. */

export interface Proof {
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

function claimsOf(accessToken: string): object {
  try {
    const payload = accessToken.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))
    return typeof claims === 'object' && claims !== null ? claims : {}
  } catch {
    return {}
  }
}

/** The authentication methods in a token (its `amr` claim), with their times. */
export function proofsOf(accessToken: string): Proof[] {
  const claims = claimsOf(accessToken)
  return 'amr' in claims && Array.isArray(claims.amr) ? claims.amr.filter(isProof) : []
}

/** Whether a second factor was given in this session (its `aal` claim). */
export function isSecondLevel(accessToken: string): boolean {
  const claims = claimsOf(accessToken)
  return 'aal' in claims && claims.aal === 'aal2'
}
