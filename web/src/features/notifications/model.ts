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

/** The actions of members, as the sentences continue after the name. */
const actionPattern =
  / (?:wants to connect|accepted your|sent you|mentioned you|commented on|answered your|found your) ?/g

/** The sentence of a notification, split into the name it starts with, if any, and the rest. */
export function sentenceOf(title: string, metadata: unknown): { name: string; rest: string } {
  const at = causerOf(metadata) ? [...title.matchAll(actionPattern)].at(-1)?.index : undefined
  return at ? { name: title.slice(0, at), rest: title.slice(at) } : { name: title, rest: '' }
}

interface Row {
  id: string
}

export type RowChange<T extends Row> =
  { kind: 'insert'; row: T } | { kind: 'update'; row: T } | { kind: 'delete'; id: string }

/** §4.24, §7.50: a row is added at the top, updated in place, or removed; a repeated event changes nothing. */
export function followRow<T extends Row>(pages: readonly T[][], change: RowChange<T>): T[][] {
  if (change.kind === 'delete') return pages.map((page) => page.filter((row) => row.id !== change.id))
  const { row } = change
  const known = pages.some((page) => page.some((other) => other.id === row.id))
  if (known) return pages.map((page) => page.map((other) => (other.id === row.id ? { ...other, ...row } : other)))
  if (change.kind === 'update') return pages.map((page) => page)
  return pages.length === 0 ? [[row]] : pages.map((page, index) => (index === 0 ? [row, ...page] : page))
}
