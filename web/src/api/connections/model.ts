/** Connections as the member sees them: lists of the other side, and the tie with one person (§3.20-21, §2.36). Pure. */
import type { Person } from '@/api/people/model'

export type Status = 'pending' | 'accepted' | 'declined'

/** §2.36: accepted, incoming pending, outgoing pending. */
export const tabs = ['connections', 'pending-requests', 'requests-made'] as const
export type Tab = (typeof tabs)[number]

/** The tie with one other member; none is no tie. */
export interface Tie {
  connectionId: string
  connectionStatus: Status
  isRequester: boolean
}

export type Ties = Partial<Record<string, Tie>>

export interface ConnectionRow {
  id: string
  user_id: string
  connected_user_id: string
  status: string
}

/** §3.20: the client adds the profile of the other side; null when it is hidden. */
export interface Contact extends Tie {
  created_at: string
  otherId: string
  profile: Person | null
}

export const statusOf = (status: string): Status =>
  status === 'accepted' || status === 'declined' ? status : 'pending'

export const otherOf = (row: ConnectionRow, memberId: string) =>
  row.user_id === memberId ? row.connected_user_id : row.user_id

export const tieOf = (row: ConnectionRow, memberId: string): Tie => ({
  connectionId: row.id,
  connectionStatus: statusOf(row.status),
  isRequester: row.user_id === memberId,
})

export const tiesOf = (rows: readonly ConnectionRow[], memberId: string): Ties =>
  Object.fromEntries(rows.map((row) => [otherOf(row, memberId), tieOf(row, memberId)]))

/** In which list a tie belongs, if in any. */
export function tabOf(tie: Tie | undefined): Tab | null {
  if (!tie || tie.connectionStatus === 'declined') return null
  if (tie.connectionStatus === 'accepted') return 'connections'
  return tie.isRequester ? 'requests-made' : 'pending-requests'
}

/** A change of one tie, before and after; the caches follow it. */
export interface Change {
  otherId: string
  profile: Person | null
  before: Tie | undefined
  after: Tie | undefined
}

export const changedCount = (count: number, tab: Tab, { before, after }: Change) =>
  Math.max(0, count - Number(tabOf(before) === tab) + Number(tabOf(after) === tab))

/** The list of a tab after a change: the other side leaves, enters on top, or stays where it was. */
export function changedList(pages: readonly Contact[][], tab: Tab, change: Change, now: string): Contact[][] {
  const { otherId, after, profile } = change
  const known = pages.flat().find((contact) => contact.otherId === otherId)
  if (!after || tabOf(after) !== tab) return pages.map((page) => page.filter((contact) => contact.otherId !== otherId))
  if (known) return pages.map((page) => page.map((one) => (one.otherId === otherId ? { ...one, ...after } : one)))
  const entering: Contact = { ...after, otherId, profile, created_at: now }
  return pages.map((page, index) => (index === 0 ? [entering, ...page] : page))
}

const byNewest = (a: Contact, b: Contact) =>
  b.created_at.localeCompare(a.created_at) || b.connectionId.localeCompare(a.connectionId)

/** A list after its row changed on the server: gone, or where its time puts it; what is below the last page comes with its own. */
export function placeContact(
  pages: readonly Contact[][],
  tab: Tab,
  connectionId: string,
  contact: Contact | undefined,
  more: boolean,
): Contact[][] {
  const isOther = (one: Contact) => one.connectionId !== connectionId && one.otherId !== contact?.otherId
  const without = pages.map((page) => page.filter(isOther))
  if (!contact || tabOf(contact) !== tab) return without
  const above = without.findIndex((page) => page.some((one) => byNewest(contact, one) < 0))
  if (above < 0 && more) return without
  const into = above < 0 ? without.length - 1 : above
  return without.map((page, index) => (index === into ? [...page, contact].sort(byNewest) : page))
}

export function changedTies(ties: Ties, { otherId, after }: Change): Ties {
  const next = { ...ties }
  if (after) next[otherId] = after
  else delete next[otherId]
  return next
}
