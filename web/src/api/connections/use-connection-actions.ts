/** Request, accept, decline, remove: optimistic, rolled back with a toast when rejected (§4.16-20, §8.19, §8.42-45). */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { notifyMember } from '@/api/notifications/notify-member'
import { nameOf, type Person, unitOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { paths } from '@/config/paths'
import { changeRows, type Paged } from '@/lib/live-lists/keyset'
import { logError, messageOf } from '@/lib/browser/log'
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
import { answerConnection, deleteConnection, requestConnection } from './mutations'

export interface Other {
  otherId: string
  profile: Person | null
  connection: Connection | undefined
}

export type Action = 'request' | 'accept' | 'decline' | 'remove'

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

/** The result: whether the desired state was reached, and the connection concerned. */
interface Outcome {
  done: boolean
  connectionId: string | undefined
}

/** Sends the change and notifies the other member. */
async function perform(queryClient: QueryClient, memberId: string, action: Action, other: Other): Promise<Outcome> {
  const { otherId, connection } = other
  const done: Outcome = { done: true, connectionId: connection?.connectionId }
  if (action === 'remove') {
    if (connection) await deleteConnection(connection.connectionId)
    return done
  }
  if (action === 'decline') {
    if (connection) await answerConnection(connection.connectionId, 'declined')
    return done
  }
  const me = await queryClient.ensureQueryData(profileQuery(memberId))
  const name = nameOf(me)
  const notify = (title: string, content: string, connectionId: string, url: string) =>
    void notifyMember({
      recipientId: otherId,
      actorId: memberId,
      type: 'connection',
      title,
      content,
      referenceId: connectionId,
      url,
      event: { connection_id: connectionId },
    })
  if (action === 'accept') {
    if (!connection) return { ...done, done: false }
    await answerConnection(connection.connectionId, 'accepted')
    notify(
      copy.notifications.accepted(name),
      copy.notifications.acceptedText,
      connection.connectionId,
      paths.profileOf(memberId),
    )
    return done
  }
  // A member who declined may send a request later: the declined row is deleted first.
  if (connection?.connectionStatus === 'declined' && !connection.isRequester)
    await deleteConnection(connection.connectionId)
  const request = await requestConnection(memberId, otherId)
  if (request.made)
    notify(
      copy.notifications.requested(name),
      copy.notifications.requestedText(unitOf(me)),
      request.connection.connectionId,
      `${paths.network}?tab=pending-requests`,
    )
  return {
    done: request.connection.isRequester && request.connection.connectionStatus === 'pending',
    connectionId: request.connection.connectionId,
  }
}

const toastFor = (action: Action, { connection }: Other) => {
  if (action === 'request') return copy.sent
  if (action === 'accept') return copy.accepted
  if (action === 'decline') return copy.declined
  return connection?.connectionStatus === 'pending' ? copy.withdrawn : copy.removed
}

interface Variables {
  action: Action
  other: Other
}

const mutationKey = ['connections', 'action'] as const

export function useConnectionActions() {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationKey,
    mutationFn: ({ action, other }: Variables) => perform(queryClient, memberId, action, other),
    onMutate: async ({ action, other }) => {
      await queryClient.cancelQueries({ queryKey: connectionKeys.all })
      const before = queryClient.getQueriesData({ queryKey: connectionKeys.all })
      applyChange(queryClient, memberId, { ...other, before: other.connection, after: after(action, other.connection) })
      return { before }
    },
    onSuccess: (outcome, { action, other }) => {
      if (outcome.done) showToast(toastFor(action, other))
    },
    onError: (cause, { action }, kept) => {
      kept?.before.forEach(([key, data]) => queryClient.setQueryData(key, data))
      logError('The connection could not be changed', cause)
      const toast = action === 'request' ? copy.requestFailed : copy.actionFailed
      showToast({ ...toast, description: messageOf(cause, copy.tryAgain) })
    },
    onSettled: (outcome, _cause, { other }) => {
      const id = outcome?.connectionId ?? other.connection?.connectionId
      return followConnections(queryClient, memberId, id && id !== optimistic.connectionId ? [id] : []).catch(
        (cause: unknown) => logError('The connection could not be read again', cause),
      )
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
