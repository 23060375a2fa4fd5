/** How many characters are left, once it is worth saying; not read out with every key. */
import { formatCount } from '@/lib/format/numbers'
import { copy } from '../copy'

export function Left({ text, most }: { text: string; most: number }) {
  const left = most - text.length
  if (left > most / 10) return null
  return <p className="justify-self-end text-small text-muted tabular-nums">{copy.left(formatCount(left))}</p>
}
