/**
 * The rows that were last read, kept by this browser for starts without network. Every entry belongs to a member. Without
 * IndexedDB (a private window, blocked storage) nothing is kept.
 */
import type { DehydratedState } from '@tanstack/react-query'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { logError } from '@/lib/browser/log'
import { readsDatabase } from './forget'

interface Device extends DBSchema {
  reads: { key: string; value: DehydratedState }
}

let opened: Promise<IDBPDatabase<Device>> | null = null

const open = () =>
  (opened ??= openDB<Device>(readsDatabase, 1, {
    upgrade: (database) => {
      database.createObjectStore('reads')
    },
    // Another tab removes it: the member signed out.
    blocking: (_from, _to, event) => {
      opened = null
      ;(event.target as IDBDatabase).close()
    },
    terminated: () => (opened = null),
  }).catch((cause: unknown) => {
    opened = null
    throw cause
  }))

/** Runs work on the database; undefined when there is none, or it refuses (full, broken): logged, never thrown. */
async function attempt<T>(work: (database: IDBPDatabase<Device>) => Promise<T>): Promise<T | undefined> {
  if (typeof indexedDB === 'undefined') return undefined
  try {
    return await work(await open())
  } catch (cause) {
    logError('What this device keeps could not be used', cause)
    return undefined
  }
}

export const readReads = (memberId: string) => attempt((database) => database.get('reads', memberId))

export const writeReads = (memberId: string, state: DehydratedState) =>
  attempt((database) => database.put('reads', state, memberId))

/** Removes what belongs to anybody else. */
export const keepOnly = (memberId: string) =>
  attempt(async (database) => {
    const others = (await database.getAllKeys('reads')).filter((key) => key !== memberId)
    await Promise.all(others.map((key) => database.delete('reads', key)))
  })
