/** One message: text, time, delivery state. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { LinkedText } from '@/components/ui/linked-text'
import { useNetworkStatus } from '@/lib/browser/connectivity/network-status'
import { fileQuery } from '@/lib/files/queries'
import { askForSafety } from '@/lib/safety/requests'
import { copy } from '../copy'
import { clockTime, type Line } from '../model'
import { MessageFile } from './message-file'

const stateLabels = {
  received: null,
  sent: copy.sentState,
  read: copy.read,
  sending: copy.sending,
  failed: copy.failed,
} as const

/** Whether a message has words of its own: one that is only a file has the file's name as its words. */
function useHasWords({ content, file_url }: Line): boolean {
  const { data, isPending } = useQuery({ ...fileQuery(file_url ?? ''), enabled: file_url !== null })
  if (file_url === null) return true
  if (content === copy.picture) return false
  return isPending ? !/\.\w{2,5}$/.test(content) : content !== data?.name
}

export function Bubble({ line, onRetry, onDiscard }: { line: Line; onRetry: () => void; onDiscard: () => void }) {
  const { mine, state } = line
  const { online } = useNetworkStatus()
  const hasWords = useHasWords(line)
  const label = state === 'sending' && !online ? copy.waiting : stateLabels[state]
  return (
    <div className={clsx('grid max-w-[85%] gap-1 md:max-w-[60%]', mine ? 'justify-items-end self-end' : 'self-start')}>
      {line.file_url && <MessageFile address={line.file_url} />}
      {hasWords && (
        <p
          dir="auto"
          className={clsx(
            'rounded-dialog border px-4 py-2.5 [overflow-wrap:anywhere] whitespace-pre-wrap',
            mine ? 'rounded-br-tag bg-ember-soft' : 'rounded-bl-tag bg-surface',
            state === 'failed' ? 'border-dashed border-destructive-text' : mine ? 'border-ember-line' : 'border-line',
          )}
        >
          <LinkedText text={line.content} />
        </p>
      )}
      {(line.endsRun || state === 'failed') && (
        <p className={clsx('text-small', state === 'failed' ? 'text-destructive-text' : 'text-muted')}>
          <time dateTime={line.created_at} className="tabular-nums">
            {clockTime(line.created_at)}
          </time>
          {label && ` · ${label}`}
          {!mine && (
            <>
              {' · '}
              <button
                type="button"
                className="min-h-6 hover:underline"
                onClick={() => askForSafety({ act: 'report', subject: { kind: 'message', id: line.id }, person: null })}
              >
                {copy.report}
              </button>
            </>
          )}
          {state === 'failed' && (
            <>
              {' '}
              <button type="button" className="min-h-6 link-inline" onClick={onRetry}>
                {copy.retry}
              </button>{' '}
              <button type="button" className="min-h-6 link-inline" onClick={onDiscard}>
                {copy.discard}
              </button>
            </>
          )}
        </p>
      )}
    </div>
  )
}
