/** Errors for the console: our own words, and the cause, never a token or an address with one (§8.6). */

export const genericLogText = 'An error occurred. Check logs for details.'

export function logError(what: string, cause: unknown): void {
  const message = cause instanceof Error ? cause.message : String(cause)
  console.error(`${what}: ${message || genericLogText}`)
}

export function messageOf(cause: unknown, fallback: string): string {
  if (cause instanceof Error && cause.message) return cause.message
  if (typeof cause === 'object' && cause !== null && 'message' in cause && typeof cause.message === 'string') {
    return cause.message || fallback
  }
  return fallback
}

/** Codes that the database gives to its own sentences, which are meant for people: PT403, PT429. */
const spoken = /^PT\d{3}$/

/** Why a change was refused, when the database says it in words for people; else the fallback, never its constraints. */
export function refusalOf(cause: unknown, fallback: string): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && spoken.test(code) ? messageOf(cause, fallback) : fallback
}

const goneCodes: readonly unknown[] = ['PGRST116', '23503', '42501']

/** What was to be changed is not there any more: no row came back, or what it belongs to is gone or cannot be read. */
export const isGone = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'code' in cause && goneCodes.includes(cause.code)
