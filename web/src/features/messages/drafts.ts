/** What was typed and not sent, kept in this browser by member and conversation. */

const key = (memberId: string, otherId: string) => `muster:draft:${memberId}:${otherId}`

export function readDraft(memberId: string, otherId: string): string {
  try {
    return localStorage.getItem(key(memberId, otherId)) ?? ''
  } catch {
    return '' // storage is blocked: drafts live as long as the page
  }
}

export function keepDraft(memberId: string, otherId: string, text: string): void {
  try {
    if (text.trim()) localStorage.setItem(key(memberId, otherId), text)
    else localStorage.removeItem(key(memberId, otherId))
  } catch {
    // The same: nothing to keep it in.
  }
}
