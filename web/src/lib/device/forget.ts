/** Removes what the application kept on this device (§17.5). Small: sign-out is part of every page's first script. */

/** Rows that were read. */
export const readsDatabase = 'muster-reads'
/** What was written and is not sent yet. */
const outboxDatabase = 'muster-outbox'

const drafts = 'muster:draft'

/** Texts that were begun. */
export function forgetDrafts(storage: Storage): void {
  const names = Array.from({ length: storage.length }, (_, i) => storage.key(i)).filter((name) => name !== null)
  for (const name of names) if (name.startsWith(drafts)) storage.removeItem(name)
}

function remove(database: string): void {
  try {
    indexedDB.deleteDatabase(database)
  } catch {
    // blocked storage: nothing was kept
  }
}

/** After a session that ended by itself: what was written stays for the member's next sign-in, and for nobody else. */
export const forgetReads = () => remove(readsDatabase)

/** After a sign-out: everything, and this browser's push subscription. Never throws. */
export async function forgetDevice(): Promise<void> {
  forgetReads()
  remove(outboxDatabase)
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    const subscription = await registration?.pushManager?.getSubscription()
    await subscription?.unsubscribe()
  } catch {
    // no push service: nothing to end
  }
}
