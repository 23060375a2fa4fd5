/** What became of something that is not sent, and what can be done with it (§17.2). */
import clsx from 'clsx'
import { CloudOff, Send, TriangleAlert } from 'lucide-react'
import { copy, wordsFor } from '@/lib/device/outbox/copy'
import type { Delivery } from '@/lib/device/outbox/entry'
import { removeEntry, retryEntry } from '@/lib/device/outbox/use-outbox'

const icons = { sending: Send, waiting: CloudOff, delayed: CloudOff, refused: TriangleAlert }

interface Props {
  id: string
  delivery: Delivery
  /** Why it was refused, in words for members. */
  reason: string | null
  /** Names it for screen readers: "the post". */
  what: string
  /** Puts it back into its form; null while that holds something else. */
  onEdit?: (() => void) | null | undefined
}

export function UnsentState({ id, delivery, reason, what, onEdit }: Props) {
  const Icon = icons[delivery]
  const isRefused = delivery === 'refused'
  const act = (label: string, run: () => void) => (
    <button type="button" className="min-h-6 link-inline" onClick={run}>
      {label}
      <span className="sr-only"> {what}</span>
    </button>
  )
  return (
    <p
      data-slot="unsent"
      data-state={delivery}
      className={clsx(
        'flex flex-wrap items-center gap-x-3 gap-y-1 text-small',
        isRefused ? 'text-destructive-text' : 'text-muted',
      )}
    >
      <span className="flex items-center gap-1.5">
        <Icon aria-hidden className="size-4 shrink-0" />
        {wordsFor(delivery, reason)}
      </span>
      {isRefused && onEdit && act(copy.edit, onEdit)}
      {(isRefused || delivery === 'delayed') && act(copy.retry, () => retryEntry(id))}
      {delivery !== 'sending' && act(copy.discard, () => removeEntry(id))}
    </p>
  )
}
