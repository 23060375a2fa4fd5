/** Request, accept, decline, remove: optimistic, rolled back when rejected or waiting (§4.16-20, §8.19, §8.42-45, §17.2). */
import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemberId } from '@/api/session/auth-context'
import { logError } from '@/lib/browser/log'
import { submit } from '@/lib/device/outbox/use-outbox'
import { changeRows, type Paged } from '@/lib/live-lists/keyset'
import { showToast } from '@/lib/toasts/toast'
import { followConnections } from './cache'
import { copy } from './copy'
import { connectionKeys } from './keys'
import {
  type Change,
  changedCount,
  changedList,
  changedConnections,
  type ListedConnection,
  tabs,
  type Connection,
  type ConnectionsByMember,
} from './model'
import { type Action, connectionEntry, type Other, reasonFor } from './outbox'

const optimistic: Connection = { connectionId: 'optimistic', connectionStatus: 'pending', isRequester: true }

function after(action: Action, connection: Connection | undefined): Connection | undefined {
  if (action === 'request') return optimistic
  if (action === 'remove' || !connection) return undefined
  return { ...connection, connectionStatus: action === 'accept' ? 'accepted' : 'declined' }
}

function applyChange(queryClient: QueryClient, memberId: string, change: Change): void {
  const now = new Date().toISOString()
  for (const tab of tabs) {
    queryClient.setQueryData<number>(connectionKeys.count(memberId, tab), (count) =>
      count === undefined ? undefined : changedCount(count, tab, change),
    )
    queryClient.setQueryData<Paged<ListedConnection>>(connectionKeys.list(memberId, tab), (list) =>
      changeRows(list, (pages) => changedList(pages, tab, change, now)),
    )
  }
  queryClient.setQueriesData<ConnectionsByMember>(
    { queryKey: connectionKeys.pairs(memberId) },
    (connections) => connections && changedConnections(connections, change),
  )
}

interface Variables {
  action: Action
  other: Other
}

const mutationKey = ['connections', 'action'] as const

export function useConnectionActions() {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const undo = (kept: { before: [QueryKey, unknown][] } | undefined) =>
    kept?.before.forEach(([key, data]) => queryClient.setQueryData(key, data))
  const refetch = ({ connection }: Other) => {
    followConnections(queryClient, memberId, connection ? [connection.connectionId] : []).catch((cause: unknown) =>
      logError('The connection could not be read again', cause),
    )
  }
  const { mutate, isPending, variables } = useMutation({
    mutationKey,
    networkMode: 'always', // without network it waits in the outbox
    mutationFn: async ({ action, other }: Variables) => {
      const outcome = await submit(connectionEntry(action, other), 'form')
      if (outcome.state === 'refused') throw new Error(reasonFor(outcome.refusal))
      return outcome.state
    },
    onMutate: async ({ action, other }) => {
      // Without network it is not done: the row says that it waits.
      if (!navigator.onLine) return { before: [] }
      await queryClient.cancelQueries({ queryKey: connectionKeys.all })
      const before = queryClient.getQueriesData({ queryKey: connectionKeys.all })
      applyChange(queryClient, memberId, { ...other, before: other.connection, after: after(action, other.connection) })
      return { before }
    },
    onSuccess: (state, _variables, kept) => {
      if (state === 'waiting') undo(kept)
    },
    onError: (cause, { action, other }, kept) => {
      undo(kept)
      refetch(other)
      logError('The connection could not be changed', cause)
      const toast = action === 'request' ? copy.requestFailed : copy.actionFailed
      showToast({ ...toast, description: cause.message })
    },
  })
  return {
    /** One action at a time per person: a second click before the next render does nothing. */
    runAction: (action: Action, other: Other) => {
      const busy = queryClient.isMutating({
        mutationKey,
        predicate: ({ state }) => (state.variables as Variables | undefined)?.other.otherId === other.otherId,
      })
      if (busy === 0) mutate({ action, other })
    },
    /** The person whose connection is being changed. */
    busyWith: isPending ? variables.other.otherId : null,
  }
}
