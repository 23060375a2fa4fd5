/** Remaining characters, shown when few are left; not announced on every key. */
import { formatCount } from '@/lib/format/numbers'
import { copy } from '../copy'

export function CharactersLeft({ text, most }: { text: string; most: number }) {
  const left = most - text.length
  if (left > most / 10) return null
  return <p className="justify-self-end text-small text-muted tabular-nums">{copy.left(formatCount(left))}</p>
}
