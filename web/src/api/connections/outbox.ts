/** Requests and their answers in the outbox: how they are sent, and those that are not (§4.16-20, §17.2). */
import type { QueryClient } from '@tanstack/react-query'
import { notifyMember } from '@/api/notifications/notify-member'
import { nameOf, type Person, unitOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { messageForPeople } from '@/lib/supabase/errors'
import { combinedId, randomId } from '@/lib/browser/random-id'
import type { Draft, Entry } from '@/lib/device/outbox/entry'
import type { Handler } from '@/lib/device/outbox/outbox'
import { useUnsent } from '@/lib/device/outbox/use-outbox'
import { showToast } from '@/lib/toasts/toast'
import { followConnections } from './cache'
import { copy } from './copy'
import type { Connection } from './model'
import { answerConnection, deleteConnection, requestConnection } from './mutations'

export interface Other {
  otherId: string
  profile: Person | null
  connection: Connection | undefined
}

export type Action = 'request' | 'accept' | 'decline' | 'remove'

interface Written {
  action: Action
  other: Other
}

/** Whether the desired state was reached, and the connection concerned. */
export interface Outcome {
  done: boolean
  connectionId: string | null
}

const kind = 'connection'
const laneOf = (otherId: string) => `connection ${otherId}`

export const connectionEntry = (action: Action, other: Other): Draft => ({
  id: randomId(),
  kind,
  lane: laneOf(other.otherId),
  place: action === 'accept' || action === 'decline' ? paths.requests : paths.profileOf(other.otherId),
  payload: { action, other },
})

/** What was done about the connection with this member and is not sent. */
export const useUnsentAction = (otherId: string) => useUnsent<Written>(kind, laneOf(otherId)).at(-1)

/** All of them, to show those whose rows are gone. */
export const useUnsentActions = () => useUnsent<Written>(kind)

const writtenOf = (entry: Entry) => entry.payload as Written

async function perform(memberId: string, { action, other }: Written): Promise<Outcome> {
  const { otherId, connection } = other
  const connectionId = connection?.connectionId ?? null
  if (action === 'request') {
    // A member who declined may send a request later: the declined row is deleted first.
    if (connection?.connectionStatus === 'declined' && !connection.isRequester)
      await deleteConnection(connection.connectionId)
    const { connection: made } = await requestConnection(memberId, otherId)
    return { done: made.isRequester && made.connectionStatus === 'pending', connectionId: made.connectionId }
  }
  if (!connectionId) return { done: action !== 'accept', connectionId }
  if (action === 'remove') await deleteConnection(connectionId)
  else await answerConnection(connectionId, action === 'accept' ? 'accepted' : 'declined')
  return { done: true, connectionId }
}

export const toastFor = (action: Action, { connection }: Other) => {
  if (action === 'request') return copy.sent
  if (action === 'accept') return copy.accepted
  if (action === 'decline') return copy.declined
  return connection?.connectionStatus === 'pending' ? copy.withdrawn : copy.removed
}

/** Why it was refused. */
export const reasonFor = (cause: unknown) => messageForPeople(cause, copy.tryAgain)

export const connectionHandler = (queryClient: QueryClient): Handler => ({
  send: (entry) => perform(entry.memberId, writtenOf(entry)),
  sent: (entry, here) => {
    const { action, other } = writtenOf(entry)
    const { done, connectionId } = entry.result as Outcome
    if (done && here) showToast(toastFor(action, other))
    followConnections(queryClient, entry.memberId, connectionId ? [connectionId] : []).catch((cause: unknown) =>
      logError('The connection could not be read again', cause),
    )
  },
  after: async (entry) => {
    const { action, other } = writtenOf(entry)
    const { done, connectionId } = entry.result as Outcome
    if (!done || !connectionId || (action !== 'request' && action !== 'accept')) return
    const me = await queryClient.ensureQueryData(profileQuery(entry.memberId))
    const name = nameOf(me)
    const words =
      action === 'accept'
        ? { title: copy.notifications.accepted(name), content: copy.notifications.acceptedText }
        : { title: copy.notifications.requested(name), content: copy.notifications.requestedText(unitOf(me)) }
    await notifyMember({
      ...words,
      id: combinedId(connectionId, other.otherId),
      recipientId: other.otherId,
      actorId: entry.memberId,
      type: 'connection',
      referenceId: connectionId,
      url: action === 'accept' ? paths.profileOf(entry.memberId) : paths.requests,
      event: { connection_id: connectionId },
    })
  },
})
