/** Error logging: what failed and why, never a token or a URL with one (§8.6). */

export const genericLogText = 'An error occurred. Check logs for details.'

export function logError(what: string, cause: unknown): void {
  const written = typeof cause === 'string' ? cause : ''
  console.error(`${what}: ${messageOf(cause, written) || genericLogText}`)
}

export function messageOf(cause: unknown, fallback: string): string {
  if (cause instanceof Error && cause.message) return cause.message
  if (typeof cause === 'object' && cause !== null && 'message' in cause && typeof cause.message === 'string') {
    return cause.message || fallback
  }
  return fallback
}
