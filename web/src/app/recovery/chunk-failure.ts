/** A chunk that fails to load (§8.8-12): the next recovery step, which never loops. Pure. */

/** The steps already taken, stored for this tab. */
export interface Attempts {
  /** When the page was last reloaded for this reason, in ms; 0: never. */
  reloadedAt: number
  /** When the dashboard was last opened for this reason. */
  fledAt: number
}

export type Remedy = 'reload' | 'dashboard' | 'give-up'

/** Old attempts expire: a later deployment may fail the same way and gets the same recovery. */
export const forgetAfterMs = 60_000

const patterns = [
  /failed to fetch dynamically imported module/i, // Chromium
  /error loading dynamically imported module/i, // Firefox
  /importing a module script failed/i, // Safari
  /unable to preload css/i,
  /loading (css )?chunk .* failed/i,
  /expected a javascript.* module script/i,
]

export function isChunkFailure(error: unknown): boolean {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : typeof error === 'string' ? error : ''
  return patterns.some((pattern) => pattern.test(text))
}

/** First a reload, then the dashboard, then nothing. Offline, a reload would only lose the page. */
export function remedyFor(attempts: Attempts, now: number, online: boolean): Remedy {
  if (!online) return 'give-up'
  if (now - attempts.reloadedAt > forgetAfterMs) return 'reload'
  if (now - attempts.fledAt > forgetAfterMs) return 'dashboard'
  return 'give-up'
}

export const reloadParameter = 'reload'

/** §8.11: the same address with the time of the reload in it. */
export function withReloadStamp(href: string, now: number): string {
  const url = new URL(href)
  url.searchParams.set(reloadParameter, String(now))
  return url.href
}

export function withoutReloadStamp(href: string): string {
  const url = new URL(href)
  url.searchParams.delete(reloadParameter)
  return url.href
}
