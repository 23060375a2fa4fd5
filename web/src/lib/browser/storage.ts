/** localStorage and sessionStorage that never throw: when storage is blocked, reads are null and writes do nothing. */

type Area = 'localStorage' | 'sessionStorage'

export function readStored(area: Area, key: string): string | null {
  try {
    return window[area].getItem(key)
  } catch {
    return null
  }
}

/** Null removes the entry. */
export function writeStored(area: Area, key: string, value: string | null): void {
  try {
    if (value === null) window[area].removeItem(key)
    else window[area].setItem(key, value)
  } catch {
    // blocked or full: not stored
  }
}
