/** An outbox that keeps its entries in memory, for component tests outside of the member layout. */
import type { Entry } from '@/lib/device/outbox/entry'
import { type Channel, createOutbox, type Handler } from '@/lib/device/outbox/outbox'
import type { Store } from '@/lib/device/outbox/store'
import { runOutbox } from '@/lib/device/outbox/use-outbox'

export function memoryStore(entries: Entry[] = []): Store {
  let rows = entries
  let next = 1
  return {
    all: (memberId) => Promise.resolve(rows.filter((entry) => entry.memberId === memberId)),
    add: async (entry) => void (rows = [...rows, { ...entry, seq: next++ }]),
    change: async (seq, change) => void (rows = rows.map((one) => (one.seq === seq ? { ...one, ...change } : one))),
    remove: async (seq) => void (rows = rows.filter((one) => one.seq !== seq)),
    keepOnly: async (memberId) => void (rows = rows.filter((one) => one.memberId === memberId)),
  }
}

const noChannel: Channel = { post: () => {}, close: () => {} }

/** Of the member 'me'; returns how to end it. */
export const runTestOutbox = (handler: Handler): (() => void) =>
  runOutbox(
    createOutbox({
      memberId: 'me',
      store: memoryStore(),
      load: () => Promise.resolve(handler),
      maySend: () => Promise.resolve(true),
      isOnline: () => navigator.onLine,
      exclusively: (work) => work(),
      openChannel: () => noChannel,
    }),
  )
