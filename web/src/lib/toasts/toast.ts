/** The toast queue: any module may add one, the toaster renders it once it has loaded (§9.28-30). */
import { limits } from '@/config/limits'
import { readStored, writeStored } from '@/lib/browser/storage'

type ToastVariant = 'default' | 'destructive' | 'mention'

export interface Toast {
  title: string
  description?: string
  variant?: ToastVariant
  /** Informational: no check mark is shown. */
  refused?: boolean | undefined
  /** A second toast of the same id replaces the first. */
  id?: string
  durationMs?: number
  /** The member who caused it, whose picture is shown. */
  person?: { id: string; name: string } | undefined
  action?: { label: string; run: () => void }
}

type Sink = (toast: Toast) => void

let sink: Sink | null = null
let waiting: Toast[] = []
const wakers = new Set<() => void>()

/** Toasts still visible: a reload would cut them short. */
let recent: { toast: Toast; at: number }[] = []

export function showToast(toast: Toast): void {
  const now = Date.now()
  recent = [...recent.filter(({ at }) => now - at < limits.toastMs), { toast, at: now }]
  if (sink) return sink(toast)
  waiting.push(toast)
  wakers.forEach((wake) => wake())
}

/** Connects the toaster: it shows what was queued before it loaded. */
export function attachSink(next: Sink): () => void {
  sink = next
  const late = waiting
  waiting = []
  late.forEach(next)
  return () => {
    if (sink === next) sink = null
  }
}

/** Runs `wake` whenever a toast is queued without a toaster. */
export function onWaiting(wake: () => void): () => void {
  wakers.add(wake)
  if (waiting.length > 0) wake()
  return () => wakers.delete(wake)
}

const carriedKey = 'muster:carried-toasts'

/** Just before a reload: keeps the visible toasts for the next page, which shows them in full (§4.12, §9.12). */
export function carryToasts(): void {
  const shown = recent.filter(({ at }) => Date.now() - at < limits.toastMs).map(({ toast }) => toast)
  writeStored('sessionStorage', carriedKey, shown.length > 0 ? JSON.stringify(shown) : null)
}

function isToast(value: unknown): value is Pick<Toast, 'title' | 'description' | 'variant'> {
  if (typeof value !== 'object' || value === null || !('title' in value) || typeof value.title !== 'string')
    return false
  return !('description' in value) || typeof value.description === 'string'
}

/** At page start: shows the toasts carried over, once. Their actions are closures of the previous page, and are dropped. */
export function showCarriedToasts(): void {
  const stored = readStored('sessionStorage', carriedKey)
  if (stored === null) return
  writeStored('sessionStorage', carriedKey, null)
  try {
    const carried: unknown = JSON.parse(stored)
    if (!Array.isArray(carried)) return
    for (const toast of carried.filter(isToast)) {
      const { title, description, variant } = toast
      showToast({ title, ...(description && { description }), ...(variant === 'destructive' && { variant }) })
    }
  } catch {
    // damaged: nothing is shown
  }
}
