/** The rows that were last read, kept by this browser for starts without network. Every entry belongs to a member. */
import type { DehydratedState } from '@tanstack/react-query'
import type { DBSchema } from 'idb'
import { deviceDatabase } from './database'
import { readsDatabase } from './forget'

interface Reads extends DBSchema {
  reads: { key: string; value: DehydratedState }
}

const attempt = deviceDatabase<Reads>(readsDatabase, (database) => void database.createObjectStore('reads'))

export const readReads = (memberId: string) => attempt((database) => database.get('reads', memberId))

export const writeReads = (memberId: string, state: DehydratedState) =>
  attempt((database) => database.put('reads', state, memberId))

/** Removes what belongs to anybody else. */
export const keepOnlyReads = (memberId: string) =>
  attempt(async (database) => {
    const others = (await database.getAllKeys('reads')).filter((key) => key !== memberId)
    await Promise.all(others.map((key) => database.delete('reads', key)))
  })
