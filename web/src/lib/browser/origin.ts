/** Where to go after sign-in. Stored and given targets must be pages of this application: no open redirect. */
import { paths } from '@/config/paths'

/** Sign-in pages: returning to one would loop. */
const signInPaths: string[] = [paths.login, paths.register, paths.forgotPassword, paths.authCallback]

/** Pure: the path, search and hash of a page on this origin, or null for anything else (other hosts, `//host`, `javascript:`). */
export function safeOrigin(value: unknown, pageOrigin: string): string | null {
  if (typeof value !== 'string' || !value.startsWith('/')) return null
  let url: URL
  try {
    url = new URL(value, pageOrigin)
  } catch {
    return null
  }
  if (url.origin !== pageOrigin || url.pathname.startsWith('//') || signInPaths.includes(url.pathname)) return null
  return `${url.pathname}${url.search}${url.hash}`
}

/** The remembered origin of a location: router state first (set by the guard), then `?next=`; the feed otherwise. */
export function originOf(location: { state: unknown; search: string }, pageOrigin: string): string {
  const { state } = location
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined
  const next = new URLSearchParams(location.search).get('next')
  return safeOrigin(from, pageOrigin) ?? safeOrigin(next, pageOrigin) ?? paths.feed
}
