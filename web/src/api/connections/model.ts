/** Connections as the member sees them: lists, and the connection with one other member (§3.20-21, §2.36). Pure. */
import type { Person } from '@/api/people/model'

export type Status = 'pending' | 'accepted' | 'declined'

/** §2.36: accepted, incoming pending, outgoing pending. */
export const tabs = ['connections', 'pending-requests', 'requests-made'] as const
export type Tab = (typeof tabs)[number]

/** The connection with one other member; 'none' when there is none. */
export interface Connection {
  connectionId: string
  connectionStatus: Status
  isRequester: boolean
}

export type ConnectionsByMember = Partial<Record<string, Connection>>

export interface ConnectionRow {
  id: string
  user_id: string
  connected_user_id: string
  status: string
}

/** §3.20: the client joins the other member's profile; null when it is hidden. */
export interface ListedConnection extends Connection {
  created_at: string
  otherId: string
  profile: Person | null
}

export const statusOf = (status: string): Status =>
  status === 'accepted' || status === 'declined' ? status : 'pending'

export const otherOf = (row: ConnectionRow, memberId: string) =>
  row.user_id === memberId ? row.connected_user_id : row.user_id

export const connectionOf = (row: ConnectionRow, memberId: string): Connection => ({
  connectionId: row.id,
  connectionStatus: statusOf(row.status),
  isRequester: row.user_id === memberId,
})

export const connectionsByMember = (rows: readonly ConnectionRow[], memberId: string): ConnectionsByMember =>
  Object.fromEntries(rows.map((row) => [otherOf(row, memberId), connectionOf(row, memberId)]))

/** The list a connection belongs to, if any. */
export function tabOf(connection: Connection | undefined): Tab | null {
  if (!connection || connection.connectionStatus === 'declined') return null
  if (connection.connectionStatus === 'accepted') return 'connections'
  return connection.isRequester ? 'requests-made' : 'pending-requests'
}

/** A change of one connection, before and after; the caches follow it. */
export interface Change {
  otherId: string
  profile: Person | null
  before: Connection | undefined
  after: Connection | undefined
}

export const changedCount = (count: number, tab: Tab, { before, after }: Change) =>
  Math.max(0, count - Number(tabOf(before) === tab) + Number(tabOf(after) === tab))

/** The list of a tab after a change: the other member is removed, added at the top, or stays in place. */
export function changedList(
  pages: readonly ListedConnection[][],
  tab: Tab,
  change: Change,
  now: string,
): ListedConnection[][] {
  const { otherId, after, profile } = change
  const known = pages.flat().find((connection) => connection.otherId === otherId)
  if (!after || tabOf(after) !== tab)
    return pages.map((page) => page.filter((connection) => connection.otherId !== otherId))
  if (known) return pages.map((page) => page.map((one) => (one.otherId === otherId ? { ...one, ...after } : one)))
  const entering: ListedConnection = { ...after, otherId, profile, created_at: now }
  return pages.map((page, index) => (index === 0 ? [entering, ...page] : page))
}

const byNewest = (a: ListedConnection, b: ListedConnection) =>
  b.created_at.localeCompare(a.created_at) || b.connectionId.localeCompare(a.connectionId)

/** A list after its row changed on the server: removed or sorted in by time; rows below it load with their page. */
export function placeConnection(
  pages: readonly ListedConnection[][],
  tab: Tab,
  connectionId: string,
  connection: ListedConnection | undefined,
  more: boolean,
): ListedConnection[][] {
  const isOther = (one: ListedConnection) => one.connectionId !== connectionId && one.otherId !== connection?.otherId
  const without = pages.map((page) => page.filter(isOther))
  if (!connection || tabOf(connection) !== tab) return without
  const above = without.findIndex((page) => page.some((one) => byNewest(connection, one) < 0))
  if (above < 0 && more) return without
  const into = above < 0 ? without.length - 1 : above
  return without.map((page, index) => (index === into ? [...page, connection].sort(byNewest) : page))
}

export function changedConnections(connections: ConnectionsByMember, { otherId, after }: Change): ConnectionsByMember {
  const next = { ...connections }
  if (after) next[otherId] = after
  else delete next[otherId]
  return next
}
