/** One announcement for all open tabs of a member: the first visible one that claims it makes it. */

const prefix = 'muster:said:'
const keptMs = 60_000

function forgetOld(now: number): void {
  const names = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i))
  for (const name of names) {
    if (name?.startsWith(prefix) && now - Number(localStorage.getItem(name)) > keptMs) localStorage.removeItem(name)
  }
}

function claim(what: string): boolean {
  try {
    const now = Date.now()
    forgetOld(now)
    if (localStorage.getItem(prefix + what)) return false
    localStorage.setItem(prefix + what, String(now))
    return true
  } catch {
    return true // without storage there is no way to ask the others
  }
}

/** Runs `say` here, unless this tab is hidden or another has said it. */
export function sayInOneTab(what: string, say: () => void): void {
  if (document.visibilityState !== 'visible') return
  if (!('locks' in navigator)) {
    if (claim(what)) say()
    return
  }
  void navigator.locks.request(prefix + what, () => {
    if (claim(what)) say()
  })
}
