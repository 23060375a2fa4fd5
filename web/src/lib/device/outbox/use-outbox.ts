/** The outbox of the signed-in member, for components. */
import { useSyncExternalStore } from 'react'
import { useNetworkStatus } from '@/lib/browser/connectivity/network-status'
import { type Delivery, deliveryOf, type Draft, type Entry, type Outcome, type Snapshot } from './entry'
import type { Origin, Outbox } from './outbox'

const nothing: Snapshot = { entries: [], stalled: false }
const listeners = new Set<() => void>()
let running: Outbox | null = null
let unsubscribe = () => {}

const notify = () => listeners.forEach((listener) => listener())

/** The outbox of the member who is signed in now; the former one ends. */
export function runOutbox(outbox: Outbox): () => void {
  running = outbox
  unsubscribe = outbox.subscribe(notify)
  outbox.start()
  return () => {
    outbox.stop()
    unsubscribe()
    running = null
    notify()
  }
}

const current = () => running?.current() ?? nothing
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Keeps it, begins to send it, and says what came of the first attempt. `onKept`: from now on it survives a restart. */
export function submit(draft: Draft, from: Origin, onKept?: () => void): Promise<Outcome> {
  if (!running) throw new Error('Nothing is sent outside of the member area')
  return running.submit(draft, from, onKept)
}
export const retryEntry = (id: string) => void running?.retry(id)
export const removeEntry = (id: string) => void running?.remove(id)

/** An entry with what is said of it. */
export interface Unsent<Payload> extends Entry {
  payload: Payload
  delivery: Delivery
}

/** What is not sent of one kind; of one lane, if named. Without what a form still shows. */
export function useUnsent<Payload>(kind: string, lane?: string): Unsent<Payload>[] {
  const { online } = useNetworkStatus()
  const snapshot = useSyncExternalStore(subscribe, current)
  return snapshot.entries
    .filter(
      (entry) => entry.kind === kind && (lane === undefined || entry.lane === lane) && !running?.isInForm(entry.id),
    )
    .map((entry) => ({ ...entry, payload: entry.payload as Payload, delivery: deliveryOf(entry, online, snapshot) }))
}

/** Everything that is not sent, for the application as a whole. */
export const useOutbox = (): Snapshot => useSyncExternalStore(subscribe, current)
