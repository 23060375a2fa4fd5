/** Removes what the application kept on this device (§17.5). Small: sign-out is part of every page's first script. */

/** Rows that were read. */
export const readsDatabase = 'muster-reads'

/** What was begun, and what was written and not sent. */
const texts = ['muster:draft', 'muster:outbox']

export function forgetDrafts(storage: Storage): void {
  const names = Array.from({ length: storage.length }, (_, i) => storage.key(i)).filter((name) => name !== null)
  for (const name of names) if (texts.some((start) => name.startsWith(start))) storage.removeItem(name)
}

/** After a session that ended by itself: what was written stays for the member's next sign-in. */
export function forgetReads(): void {
  try {
    indexedDB.deleteDatabase(readsDatabase)
  } catch {
    // blocked storage: nothing was kept
  }
}

/** After a sign-out: everything, and this browser's push subscription. Never throws. */
export async function forgetDevice(): Promise<void> {
  forgetReads()
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    const subscription = await registration?.pushManager?.getSubscription()
    await subscription?.unsubscribe()
  } catch {
    // no push service: nothing to end
  }
}
