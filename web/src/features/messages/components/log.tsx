/** The messages of one conversation: stays at the newest, grows upwards (the reversed box keeps its place by itself). */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { useMemberId } from '@/api/session/auth-context'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { Bone, Loading } from '@/components/ui/skeleton'
import { outboxQuery, threadQuery } from '../api/queries'
import { copy } from '../copy'
import { clockTime, type Line, linesOf, type Outgoing } from '../model'

interface Props {
  otherId: string
  onRetry: (outgoing: Outgoing) => void
  onDiscard: (id: string) => void
}

const stateWords = {
  received: null,
  sent: copy.sentState,
  read: copy.read,
  sending: copy.sending,
  failed: copy.failed,
} as const

function Bubble({ line, onRetry, onDiscard }: { line: Line; onRetry: () => void; onDiscard: () => void }) {
  const { mine, state } = line
  const words = stateWords[state]
  return (
    <div className={clsx('grid max-w-[85%] gap-1 md:max-w-[60%]', mine ? 'justify-items-end self-end' : 'self-start')}>
      <p
        className={clsx(
          'rounded-dialog border px-4 py-2.5 [overflow-wrap:anywhere] whitespace-pre-wrap',
          mine ? 'rounded-br-tag border-ember-line bg-ember-soft' : 'rounded-bl-tag border-line bg-surface',
          state === 'failed' && 'border-dashed border-destructive-text!',
        )}
      >
        {line.content}
      </p>
      {(line.endsRun || state === 'failed') && (
        <p className={clsx('text-small', state === 'failed' ? 'text-destructive-text' : 'text-muted')}>
          <time dateTime={line.created_at} className="tabular-nums">
            {clockTime(line.created_at)}
          </time>
          {words && ` · ${words}`}
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

export function Log({ otherId, onRetry, onDiscard }: Props) {
  const memberId = useMemberId()
  const thread = useInfiniteQuery(threadQuery(memberId, otherId))
  const outbox = useQuery(outboxQuery(memberId, otherId)).data ?? []
  if (thread.isPending) {
    return (
      <Loading label={copy.loading} className="grid grow content-end gap-3 p-4 md:p-5">
        <Bone className="h-12 w-1/2" />
        <Bone className="h-12 w-2/5 justify-self-end" />
        <Bone className="h-12 w-3/5" />
      </Loading>
    )
  }
  if (!thread.data) {
    return (
      <div className="grow">
        <Failed title={copy.error.title} onRetry={() => void thread.refetch()}>
          {copy.error.description}
        </Failed>
      </div>
    )
  }
  const lines = linesOf(thread.data.pages.flat(), outbox, memberId)
  return (
    <div
      // Scrollable by keyboard: axe asks for it.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={copy.log}
      className="flex min-h-0 grow flex-col-reverse overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
    >
      <div className="flex flex-col gap-2 p-4 md:p-5">
        {thread.hasNextPage && (
          <LoadMore
            busy={thread.isFetchingNextPage}
            onMore={() => void thread.fetchNextPage()}
            label={copy.older}
            busyLabel={copy.loadingMore}
          />
        )}
        {lines.length === 0 && <p className="py-10 text-center text-ui text-muted">{copy.start}</p>}
        <div role="log" aria-label={copy.log} className="flex flex-col gap-2">
          {lines.map((line) => (
            <div key={line.id} data-state={line.state} className="flex flex-col gap-2">
              {line.day && <p className="py-4 text-center type-mark text-muted">{line.day}</p>}
              <Bubble
                line={line}
                onRetry={() =>
                  onRetry({ id: line.id, content: line.content, created_at: line.created_at, failed: true })
                }
                onDiscard={() => onDiscard(line.id)}
              />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
