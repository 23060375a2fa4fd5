/** A notification's link and actor, and how the list follows row events. Pure. */
import { paths } from '@/config/paths'

/** metadata.url is a path in this application; anything else leads to the list. */
export function targetOf(metadata: unknown): string {
  if (typeof metadata === 'object' && metadata !== null && 'url' in metadata && typeof metadata.url === 'string') {
    if (/^\/(?![/\\])/.test(metadata.url)) return metadata.url
  }
  return paths.notifications
}

/** The certification that a reminder is about (§10.6). */
export const certificationOf = ({ type, metadata }: { type: string; metadata: unknown }): string | null =>
  type === 'certification' &&
  typeof metadata === 'object' &&
  metadata !== null &&
  'certification_id' in metadata &&
  typeof metadata.certification_id === 'string'
    ? metadata.certification_id
    : null

export function causerOf(metadata: unknown): string | null {
  return typeof metadata === 'object' &&
    metadata !== null &&
    'user_id' in metadata &&
    typeof metadata.user_id === 'string'
    ? metadata.user_id
    : null
}

/** The sentence of a notification, split into the actor's name, which the database writes to metadata, and the rest. */
export function sentenceOf(title: string, metadata: unknown): { name: string; rest: string } {
  const name =
    typeof metadata === 'object' && metadata !== null && 'name' in metadata && typeof metadata.name === 'string'
      ? metadata.name
      : ''
  return name && title.startsWith(name) ? { name, rest: title.slice(name.length) } : { name: title, rest: '' }
}

/** The member whose open request a notification is about. */
export const askerOf = ({ type, metadata }: { type: string; metadata: unknown }): string | null =>
  type === 'connection' && targetOf(metadata).startsWith(paths.network) ? causerOf(metadata) : null

/** Whose requests are looked up in one request; those of older ones are answered on the network page. */
const mostAsked = 50

/** A request that can be answered: who asks, and all who ask in the same list. */
export interface Asked {
  otherId: string
  name: string
  among: readonly string[]
}

export function askedIn(
  rows: readonly { type: string; title: string; metadata: unknown }[],
): (row: (typeof rows)[number]) => Asked | null {
  const among = [...new Set(rows.flatMap((row) => askerOf(row) ?? []))].slice(0, mostAsked).sort()
  return (row) => {
    const otherId = askerOf(row)
    return otherId ? { otherId, name: sentenceOf(row.title, row.metadata).name, among } : null
  }
}

interface Listed {
  id: string
  type: string
  reference_id: string | null
  created_at: string
}

/** Notifications that are shown as one: likes of the same thing on the same day. The first is the newest. */
export interface Folded<T> {
  key: string
  day: string
  first: T
  all: T[]
}

const dayMs = 86_400_000
const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric' })

/** The heading over a notification: Today, Yesterday, Earlier this week, then the month. */
export function dayOf(moment: string, now: Date): string {
  const then = new Date(moment)
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  if (then.getTime() >= today) return 'Today'
  if (then.getTime() >= today - dayMs) return 'Yesterday'
  if (then.getTime() >= today - 6 * dayMs) return 'Earlier this week'
  return monthName.format(then)
}

export function foldByDay<T extends Listed>(newestFirst: readonly T[], now: Date): Folded<T>[] {
  const folded = new Map<string, Folded<T>>()
  for (const row of newestFirst) {
    const day = dayOf(row.created_at, now)
    const key =
      row.type === 'reaction' && row.reference_id
        ? `${row.reference_id} ${new Date(row.created_at).toDateString()}`
        : row.id
    const known = folded.get(key)
    if (known) known.all.push(row)
    else folded.set(key, { key, day, first: row, all: [row] })
  }
  return [...folded.values()]
}

interface Row {
  id: string
  created_at?: string
}

export type RowChange<T extends Row> =
  | { kind: 'insert'; row: T }
  | { kind: 'update'; row: T }
  | { kind: 'delete'; id: string }

/** §4.24, §7.50: a row is added at the top, updated in place, or removed; a repeated event changes nothing. */
export function followRow<T extends Row>(pages: readonly T[][], change: RowChange<T>): T[][] {
  if (change.kind === 'delete') return pages.map((page) => page.filter((row) => row.id !== change.id))
  const { row } = change
  const known = pages.some((page) => page.some((other) => other.id === row.id))
  // One that took the place of another moves to the top, unless it is there.
  const newest = pages[0]?.[0]
  const moves = known && newest?.id !== row.id && (row.created_at ?? '') > (newest?.created_at ?? '')
  if (moves) return followRow(followRow(pages, { kind: 'delete', id: row.id }), { kind: 'insert', row })
  if (known) return pages.map((page) => page.map((other) => (other.id === row.id ? { ...other, ...row } : other)))
  if (change.kind === 'update') return pages.map((page) => page)
  return pages.length === 0 ? [[row]] : pages.map((page, index) => (index === 0 ? [row, ...page] : page))
}
