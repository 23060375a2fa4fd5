/** The messages of one conversation in its states. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemberId } from '@/api/session/auth-context'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { messageKeys } from '@/api/messages/keys'
import { rowsOf } from '@/lib/live-lists/keyset'
import { useShortMemory } from '@/lib/live-lists/long-lists'
import { threadQuery } from '../api/queries'
import { copy } from '../copy'
import { linesOf } from '../model'
import { useOutgoing } from '../outbox'
import type { LineActions } from './bubble'
import { Lines } from './lines'

interface Props {
  otherId: string
  name: string
  actions: LineActions
}

export function Log({ otherId, name, actions }: Props) {
  const memberId = useMemberId()
  const thread = useInfiniteQuery(threadQuery(memberId, otherId))
  useShortMemory(messageKeys.thread(memberId, otherId))
  const outgoing = useOutgoing(otherId)
  const messages = rowsOf(thread.data)
  // What was written is shown also where the conversation was never read on this device.
  const isEmpty = outgoing.length === 0
  if (isEmpty && thread.isPending) {
    return (
      <Loading label={copy.loading} className="grid grow content-end gap-3 p-4 md:p-5">
        <Skeleton className="h-12 w-1/2" />
        <Skeleton className="h-12 w-2/5 justify-self-end" />
        <Skeleton className="h-12 w-3/5" />
      </Loading>
    )
  }
  if (isEmpty && !thread.data) {
    return (
      <div className="grow">
        <Failed title={copy.error.title} onRetry={() => void thread.refetch()}>
          {copy.error.description}
        </Failed>
      </div>
    )
  }
  return (
    <Lines
      name={name}
      lines={linesOf(messages, outgoing, memberId)}
      actions={actions}
      older={thread.hasNextPage ? <LoadMore of={thread} label={copy.older} busyLabel={copy.loadingMore} /> : null}
    />
  )
}
