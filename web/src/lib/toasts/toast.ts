/** Toasts as a port: anything may say something, the toaster shows it once it has loaded (§9.28-30). */
import { limits } from '@/config/limits'
import { readStored, writeStored } from '@/lib/browser/storage'

export type NoticeVariant = 'default' | 'destructive' | 'mention'

export interface Notice {
  title: string
  description?: string
  variant?: NoticeVariant
  /** Nothing was done: no tick stands beside it. */
  refused?: boolean
  /** A second notice of the same id takes the first one's place. */
  id?: string
  durationMs?: number
  /** Whose deed it tells of. */
  person?: { id: string; name: string }
  action?: { label: string; run: () => void }
}

type Sink = (notice: Notice) => void

let sink: Sink | null = null
let waiting: Notice[] = []
const wakers = new Set<() => void>()

/** What was said a moment ago may still be read: a reload would cut it short. */
let recent: { notice: Notice; at: number }[] = []

export function notify(notice: Notice): void {
  const now = Date.now()
  recent = [...recent.filter(({ at }) => now - at < limits.noticeMs), { notice, at: now }]
  if (sink) return sink(notice)
  waiting.push(notice)
  wakers.forEach((wake) => wake())
}

/** The toaster takes over: what was said before it existed is said now. */
export function attachSink(next: Sink): () => void {
  sink = next
  const late = waiting
  waiting = []
  late.forEach(next)
  return () => {
    if (sink === next) sink = null
  }
}

/** Runs `wake` when the first notice waits for a toaster. */
export function onWaiting(wake: () => void): () => void {
  wakers.add(wake)
  if (waiting.length > 0) wake()
  return () => wakers.delete(wake)
}

const carriedKey = 'muster:carried-notices'

/** Just before the page is loaded anew: what it is still saying is said by the next one, for its whole time (§4.12, §9.12). */
export function carryNotices(): void {
  const said = recent.filter(({ at }) => Date.now() - at < limits.noticeMs).map(({ notice }) => notice)
  writeStored('sessionStorage', carriedKey, said.length > 0 ? JSON.stringify(said) : null)
}

function isWords(value: unknown): value is Pick<Notice, 'title' | 'description' | 'variant'> {
  if (typeof value !== 'object' || value === null || !('title' in value) || typeof value.title !== 'string')
    return false
  return !('description' in value) || typeof value.description === 'string'
}

/** At the start of a page: the words carried over, once. What they led to is gone with the page they were said on. */
export function sayCarried(): void {
  const stored = readStored('sessionStorage', carriedKey)
  if (stored === null) return
  writeStored('sessionStorage', carriedKey, null)
  try {
    const carried: unknown = JSON.parse(stored)
    if (!Array.isArray(carried)) return
    for (const notice of carried.filter(isWords)) {
      const { title, description, variant } = notice
      notify({ title, ...(description && { description }), ...(variant === 'destructive' && { variant }) })
    }
  } catch {
    // damaged: it is not said
  }
}
