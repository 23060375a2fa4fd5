/** What waits to be sent (§17.2): one entry for each thing that was written. Pure. */
import type { Verdict } from './verdict'

/** What the database said; the message is for members only where our SQL wrote it (lib/supabase/errors.ts). */
export interface Refusal {
  code: string
  message: string
}

export interface Draft {
  /** Made here. A row that it becomes has it, too: sent twice, it is one row. */
  id: string
  /** Which handler sends it. */
  kind: string
  /** Entries of one lane (a conversation, the comments of a post) are sent in the order in which they were written. */
  lane: string
  /** The path of the page where it was written. */
  place: string
  payload: unknown
}

export interface Entry extends Draft {
  /** Its place in the order of all entries of this browser. */
  seq: number
  memberId: string
  writtenAt: string
  /** 'sent': only what follows it, like the notification of its recipient, is still to be done. */
  state: 'waiting' | 'sent' | 'refused'
  refusal: Refusal | null
  /** What sending it returned. */
  result: unknown
  /** How often the server answered that it could not. */
  failures: number
}

export type Outcome =
  | { state: 'sent'; result: unknown }
  | { state: 'refused'; refusal: Refusal }
  | { state: 'waiting'; tried: boolean }

/** The outbox, for what shows it. */
export interface Snapshot {
  /** What is not sent, in order. */
  entries: readonly Entry[]
  /** The last attempt got no answer. */
  stalled: boolean
}

export type EntryChange = Partial<Pick<Entry, 'state' | 'refusal' | 'result' | 'failures'>>

export const entryOf = (draft: Draft, memberId: string, writtenAt: string): Omit<Entry, 'seq'> => ({
  ...draft,
  memberId,
  writtenAt,
  state: 'waiting',
  refusal: null,
  result: null,
  failures: 0,
})

/** The one to send next: the oldest whose lane is not held up. A refused one holds nothing up. */
export const nextOf = (oldestFirst: readonly Entry[], heldUp: ReadonlySet<string>): Entry | undefined =>
  oldestFirst.find(({ state, lane }) => state === 'waiting' && !heldUp.has(lane))

/** How an attempt that failed changes its entry; null when it stays as it is. */
export function changeAfter(entry: Entry, verdict: Verdict, refusal: Refusal): EntryChange | null {
  if (verdict === 'refused') return { state: 'refused', refusal }
  return verdict === 'busy' ? { failures: entry.failures + 1 } : null
}

/** What is said of an entry. */
export type Delivery = 'sending' | 'waiting' | 'delayed' | 'refused'

export function deliveryOf({ state, failures }: Entry, isOnline: boolean, { stalled }: Snapshot): Delivery {
  if (state === 'refused') return 'refused'
  if (!isOnline || stalled) return 'waiting'
  return failures > 0 ? 'delayed' : 'sending'
}
