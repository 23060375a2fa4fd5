/** Whether somebody is writing, in this tab or another one: nothing may reload the page then (§17.4). */

const lockName = 'muster-writing'
const lookEveryMs = 500

type Field = HTMLInputElement | HTMLTextAreaElement
const notText = ['checkbox', 'radio', 'button', 'submit', 'reset', 'range', 'color', 'file', 'hidden', 'search']

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !notText.includes(target.type))

const touched = new Set<Field>()

/** Fields of this page that have what was typed into them: sent and emptied, or left with their page, they have not. */
export function isWriting(): boolean {
  for (const field of touched) if (!field.isConnected || field.value.trim() === '') touched.delete(field)
  return touched.size > 0
}

async function untilDone(): Promise<void> {
  while (isWriting()) await new Promise((resolve) => window.setTimeout(resolve, lookEveryMs))
}

let held = false

/** While something is written, this tab holds a lock that all of them share. */
export function watchWriting(): () => void {
  const typed = ({ target }: Event) => {
    if (!isField(target)) return
    touched.add(target)
    if (held || !navigator.locks) return
    held = true
    void navigator.locks.request(lockName, { mode: 'shared' }, untilDone).finally(() => (held = false))
  }
  document.addEventListener('input', typed, true)
  return () => document.removeEventListener('input', typed, true)
}

/** Runs work when no tab is being written in, and keeps waiting until then. */
export async function whenNobodyWrites(work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) {
    await untilDone()
    return work()
  }
  let done = false
  while (!done) {
    done = await navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
      if (!lock || isWriting()) return false
      await work()
      return true
    })
    if (!done) await new Promise((resolve) => window.setTimeout(resolve, lookEveryMs))
  }
}
