/** The context of a missing page, and how often it was visited (§2.53-58, §4.38, §8.35-37, §9.20). Pure. */
import { limits } from '@/config/limits'

export type Context = 'admin-blog' | 'admin' | 'blog' | 'page'

const under = (pathname: string, root: string) => pathname === root || pathname.startsWith(`${root}/`)

export function contextOf(pathname: string): Context {
  if (under(pathname, '/admin/blog')) return 'admin-blog'
  if (under(pathname, '/admin')) return 'admin'
  return under(pathname, '/blog') ? 'blog' : 'page'
}

/** One counter per path, in local storage. */
export const counterKey = (pathname: string) => `muster:not-found:${pathname}`

export const nextCount = (stored: string | null) => Math.max(0, Number.parseInt(stored ?? '', 10) || 0) + 1

export const isRepeated = (count: number) => count >= limits.repeatedNotFound

/** When the operators are told: once. */
export const isFirstRepeated = (count: number) => count === limits.repeatedNotFound
