/** The entries in this browser's database, for all of its tabs. What it does not take is kept as long as the page is open. */
import type { DBSchema } from 'idb'
import { deviceDatabase } from '../database'
import { outboxDatabase } from '../forget'
import type { Entry, EntryChange } from './entry'

interface Device extends DBSchema {
  entries: { key: number; value: Entry; indexes: { member: string } }
}

export interface Store {
  /** Oldest first. */
  all: (memberId: string) => Promise<Entry[]>
  add: (entry: Omit<Entry, 'seq'>) => Promise<void>
  /** Nothing for one that is gone. */
  change: (seq: number, change: EntryChange) => Promise<void>
  remove: (seq: number) => Promise<void>
  /** Removes what belongs to anybody else. */
  keepOnly: (memberId: string) => Promise<void>
}

/** Numbers of entries that only this page has: after those of the database. */
const firstUnkept = 2 ** 40

const attempt = deviceDatabase<Device>(outboxDatabase, (database) => {
  const entries = database.createObjectStore('entries', { keyPath: 'seq', autoIncrement: true })
  entries.createIndex('member', 'memberId')
})

export function openStore(): Store {
  const unkept = new Map<number, Entry>()
  let next = firstUnkept
  return {
    all: async (memberId) => [
      ...((await attempt((database) => database.getAllFromIndex('entries', 'member', memberId))) ?? []),
      ...[...unkept.values()].filter((entry) => entry.memberId === memberId),
    ],
    add: async (entry) => {
      // The database gives the number.
      if ((await attempt((database) => database.add('entries', entry as Entry))) !== undefined) return
      unkept.set(next, { ...entry, seq: next })
      next += 1
    },
    change: async (seq, change) => {
      const held = unkept.get(seq)
      if (held) return void unkept.set(seq, { ...held, ...change })
      await attempt(async (database) => {
        const { store, done } = database.transaction('entries', 'readwrite')
        const entry = await store.get(seq)
        if (entry) await store.put({ ...entry, ...change })
        await done
      })
    },
    remove: async (seq) => {
      if (!unkept.delete(seq)) await attempt((database) => database.delete('entries', seq))
    },
    keepOnly: async (memberId) => {
      await attempt(async (database) => {
        const { store, done } = database.transaction('entries', 'readwrite')
        for (const entry of await store.getAll()) if (entry.memberId !== memberId) await store.delete(entry.seq)
        await done
      })
    },
  }
}
