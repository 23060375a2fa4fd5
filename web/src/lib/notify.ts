/** Toasts as a port: anything may say something, the toaster shows it once it has loaded (§9.28-30). */

export type NoticeVariant = 'default' | 'destructive' | 'mention'

export interface Notice {
  title: string
  description?: string
  variant?: NoticeVariant
  /** A second notice of the same id takes the first one's place. */
  id?: string
  durationMs?: number
  action?: { label: string; run: () => void }
}

type Sink = (notice: Notice) => void

let sink: Sink | null = null
let waiting: Notice[] = []
const wakers = new Set<() => void>()

export function notify(notice: Notice): void {
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
