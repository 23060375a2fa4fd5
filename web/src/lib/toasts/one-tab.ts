/** One toast for all open tabs of a member: the first visible tab that claims it shows it. */

const prefix = 'muster:shown:'
const keptMs = 60_000

function dropExpired(now: number): void {
  const names = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i))
  for (const name of names) {
    if (name?.startsWith(prefix) && now - Number(localStorage.getItem(name)) > keptMs) localStorage.removeItem(name)
  }
}

function claim(what: string): boolean {
  try {
    const now = Date.now()
    dropExpired(now)
    if (localStorage.getItem(prefix + what)) return false
    localStorage.setItem(prefix + what, String(now))
    return true
  } catch {
    return true // without storage the tabs cannot coordinate
  }
}

/**
 * Runs `show` here, unless this tab is hidden or another one has done so. The lock is what tabs agree on, and is kept for
 * those that hear of it later; what one writes into the storage the other may read a moment too late.
 */
export function notifyInOneTab(what: string, show: () => void): void {
  if (document.visibilityState !== 'visible') return
  if (!('locks' in navigator)) {
    if (claim(what)) show()
    return
  }
  void navigator.locks.request(prefix + what, { ifAvailable: true }, (lock) => {
    if (!lock || !claim(what)) return
    show()
    return new Promise((resolve) => setTimeout(resolve, keptMs))
  })
}
