/** A page script that does not load (§8.8-12): the next remedy, which never loops. Pure. */

/** What was tried already, kept for this tab. */
export interface Attempts {
  /** When the page was last reloaded for this reason, in ms; 0: never. */
  reloadedAt: number
  /** When we last fled to the dashboard for this reason. */
  fledAt: number
}

export type Remedy = 'reload' | 'dashboard' | 'give-up'

/** Old attempts are forgotten: a later deployment may fail the same way and deserves the same help. */
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

/** A reload first, then the dashboard, then nothing by itself. Offline, a reload would only lose the page. */
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
