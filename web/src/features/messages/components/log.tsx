/** The messages of one conversation in its states. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { messageKeys } from '@/api/messages/keys'
import { rowsOf } from '@/lib/live-lists/keyset'
import { useShortMemory } from '@/lib/live-lists/long-lists'
import { outboxQuery, threadQuery } from '../api/queries'
import { copy } from '../copy'
import { linesOf, type Outgoing } from '../model'
import { Lines } from './lines'

interface Props {
  otherId: string
  name: string
  onRetry: (outgoing: Outgoing) => void
  onDiscard: (id: string) => void
}

export function Log({ otherId, name, onRetry, onDiscard }: Props) {
  const memberId = useMemberId()
  const thread = useInfiniteQuery(threadQuery(memberId, otherId))
  useShortMemory(messageKeys.thread(memberId, otherId))
  const outbox = useQuery(outboxQuery(memberId, otherId)).data ?? []
  const messages = rowsOf(thread.data)
  // Restored after a reload, or failed without a response, but delivered after all.
  const arrived = outbox.filter(({ id, failed }) => failed && messages.some((message) => message.id === id))
  const forget = useEffectEvent(() => arrived.forEach(({ id }) => onDiscard(id)))
  useEffect(() => {
    if (arrived.length > 0) forget()
  }, [arrived.length])
  if (thread.isPending) {
    return (
      <Loading label={copy.loading} className="grid grow content-end gap-3 p-4 md:p-5">
        <Skeleton className="h-12 w-1/2" />
        <Skeleton className="h-12 w-2/5 justify-self-end" />
        <Skeleton className="h-12 w-3/5" />
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
  return (
    <Lines
      name={name}
      lines={linesOf(messages, outbox, memberId)}
      onRetry={onRetry}
      onDiscard={onDiscard}
      older={thread.hasNextPage ? <LoadMore of={thread} label={copy.older} busyLabel={copy.loadingMore} /> : null}
    />
  )
}
