/** Removes what the application kept on this device (§17.5). Small: sign-out is part of every page's first script. */

/** Rows that were read. */
export const readsDatabase = 'muster-reads'
/** What was written and not sent. */
export const outboxDatabase = 'muster-outbox'

/** What was begun: `muster:draft`, of what kind, whose, and where it belongs. */
const drafts = 'muster:draft'

const namesOf = (storage: Storage) =>
  Array.from({ length: storage.length }, (_, i) => storage.key(i)).filter((name) => name?.startsWith(drafts))

export function forgetDrafts(storage: Storage): void {
  for (const name of namesOf(storage)) if (name) storage.removeItem(name)
}

/** Another member signed in here. */
export function forgetOthersDrafts(memberId: string): void {
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const name of namesOf(storage)) if (name && name.split(':')[2] !== memberId) storage.removeItem(name)
  } catch {
    // blocked storage: nothing was kept
  }
}

function drop(...databases: string[]): void {
  try {
    for (const name of databases) indexedDB.deleteDatabase(name)
  } catch {
    // blocked storage: nothing was kept
  }
}

/** After a session that ended by itself: what was written stays for the member's next sign-in. */
export const forgetReads = () => drop(readsDatabase)

/** After a sign-out: everything, and this browser's push subscription. Never throws. */
export async function forgetDevice(): Promise<void> {
  drop(readsDatabase, outboxDatabase)
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    const subscription = await registration?.pushManager?.getSubscription()
    await subscription?.unsubscribe()
  } catch {
    // no push service: nothing to end
  }
}
