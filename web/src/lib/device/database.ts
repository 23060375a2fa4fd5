/**
 * A database of this browser. Without IndexedDB (a private window, blocked storage) there is none, and one that another tab
 * deletes is closed: the member signed out.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { logError } from '@/lib/browser/log'

type Attempt<Schema extends DBSchema> = <T>(
  work: (database: IDBPDatabase<Schema>) => Promise<T>,
) => Promise<T | undefined>

/** Runs work on the database; undefined when there is none, or it refuses (full, broken): logged, never thrown. */
export function deviceDatabase<Schema extends DBSchema>(
  name: string,
  create: (database: IDBPDatabase<Schema>) => void,
): Attempt<Schema> {
  let opened: Promise<IDBPDatabase<Schema>> | null = null
  const open = () =>
    (opened ??= openDB<Schema>(name, 1, {
      upgrade: (database) => create(database),
      blocking: (_from, _to, event) => {
        opened = null
        ;(event.target as IDBDatabase).close()
      },
      terminated: () => (opened = null),
    }).catch((cause: unknown) => {
      opened = null
      throw cause
    }))
  return async (work) => {
    if (typeof indexedDB === 'undefined') return undefined
    try {
      return await work(await open())
    } catch (cause) {
      logError('What this device keeps could not be used', cause)
      return undefined
    }
  }
}
