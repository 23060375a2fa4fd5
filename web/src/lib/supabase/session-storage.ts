/** Where the browser stores the session (§3.15), and how all of its data is cleared (§4.10). */
import type { Session } from '@supabase/supabase-js'

export const sessionKey = 'sb-muster-auth-token'

/** Parts of the keys that supabase-js uses. */
const markers = ['supabase', 'sb-']

export const isSessionEntry = (name: string) => markers.some((marker) => name.toLowerCase().includes(marker))

/** The session as it was stored; for starts without network, when it can't be renewed. */
export function storedSession(): Session | null {
  if (!hasStoredSession()) return null
  return JSON.parse(localStorage.getItem(sessionKey) ?? 'null') as Session | null
}

/** A damaged entry lacks a token or its user. */
function looksLikeSession(text: string): boolean {
  try {
    const entry = JSON.parse(text) as Partial<Record<string, unknown>> | null
    const user = entry?.user as { id?: unknown } | null | undefined
    return [entry?.access_token, entry?.refresh_token, user?.id].every((part) => typeof part === 'string' && part)
  } catch {
    return false
  }
}

/** True when this browser seems to have a session: enough to choose a layout before the client has loaded. */
export function hasStoredSession(): boolean {
  try {
    const text = localStorage.getItem(sessionKey)
    if (text === null) return false
    if (looksLikeSession(text)) return true
    localStorage.removeItem(sessionKey) // otherwise every request would send it
    return false
  } catch {
    return false // storage is blocked: no session outlives the page
  }
}

export function clearSessionEntries(storage: Storage): void {
  const names = Array.from({ length: storage.length }, (_, i) => storage.key(i)).filter((name) => name !== null)
  for (const name of names) if (isSessionEntry(name)) storage.removeItem(name)
}

/** §4.10: every cookie, on this path and on the root. */
export function clearCookies(): void {
  for (const cookie of document.cookie.split(';')) {
    const name = cookie.split('=')[0]?.trim()
    if (!name) continue
    document.cookie = `${name}=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/`
    document.cookie = `${name}=; expires=Thu, 01 Jan 1970 00:00:00 GMT`
  }
}
