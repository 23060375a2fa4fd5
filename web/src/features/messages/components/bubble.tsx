/** One message: text, time, delivery state. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { LinkedText } from '@/components/ui/linked-text'
import { useNetworkStatus } from '@/lib/browser/connectivity/network-status'
import { copy as unsent } from '@/lib/device/outbox/copy'
import { fileQuery } from '@/lib/files/queries'
import { askForSafety } from '@/lib/safety/requests'
import { copy } from '../copy'
import { clockTime, type Line } from '../model'
import { stateLabel } from '../state-label'
import { MessageFile } from './message-file'

/** What can be done with a message that is not sent. */
export interface LineActions {
  edit: (line: Line) => void
  retry: (id: string) => void
  discard: (id: string) => void
}

/** Whether a message has words of its own: one that is only a file has the file's name as its words. */
function useHasWords({ content, file_url }: Line): boolean {
  const { data, isPending } = useQuery({ ...fileQuery(file_url ?? ''), enabled: file_url !== null })
  if (file_url === null) return true
  if (content === copy.picture) return false
  return isPending ? !/\.\w{2,5}$/.test(content) : content !== data?.name
}

export function Bubble({ line, actions }: { line: Line; actions: LineActions }) {
  const { mine, state } = line
  const { online } = useNetworkStatus()
  const hasWords = useHasWords(line)
  const label = stateLabel(line)
  const isRefused = state === 'refused'
  const isHeld = isRefused || state === 'waiting' || state === 'delayed'
  const act = (words: string, run: () => void) => (
    <>
      {' '}
      <button type="button" className="ml-1.5 min-h-6 link-inline" onClick={run}>
        {words}
      </button>
    </>
  )
  return (
    <div className={clsx('grid max-w-[85%] gap-1 md:max-w-[60%]', mine ? 'justify-items-end self-end' : 'self-start')}>
      {line.file_url && <MessageFile address={line.file_url} />}
      {hasWords && (
        <p
          dir="auto"
          className={clsx(
            'rounded-dialog border px-4 py-2.5 [overflow-wrap:anywhere] whitespace-pre-wrap',
            mine ? 'rounded-br-tag bg-ember-soft' : 'rounded-bl-tag bg-surface',
            isHeld && 'border-dashed',
            isRefused ? 'border-destructive-text' : mine ? 'border-ember-line' : 'border-line',
          )}
        >
          <LinkedText text={line.content} />
        </p>
      )}
      {(line.endsRun || isHeld) && (
        <p className={clsx('text-small', mine && 'text-right', isRefused ? 'text-destructive-text' : 'text-muted')}>
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
          {isRefused && !line.file_url && act(unsent.edit, () => actions.edit(line))}
          {isHeld && online && act(unsent.retry, () => actions.retry(line.id))}
          {isHeld && act(unsent.discard, () => actions.discard(line.id))}
        </p>
      )}
    </div>
  )
}
