/** Request, accept, decline, remove: seen at once, rolled back with the right words when refused (§4.16-20, §8.19, §8.42-45). */
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
import { networkKeys } from './keys'
import { type Change, changedCount, changedList, changedTies, type Contact, tabs, type Tie, type Ties } from './model'
import { answerConnection, deleteConnection, requestConnection } from './mutations'

export interface Other {
  otherId: string
  profile: Person | null
  tie: Tie | undefined
}

export type Action = 'request' | 'accept' | 'decline' | 'remove'

const optimistic: Tie = { connectionId: 'optimistic', connectionStatus: 'pending', isRequester: true }

function after(action: Action, tie: Tie | undefined): Tie | undefined {
  if (action === 'request') return optimistic
  if (action === 'remove' || !tie) return undefined
  return { ...tie, connectionStatus: action === 'accept' ? 'accepted' : 'declined' }
}

function applyChange(queryClient: QueryClient, memberId: string, change: Change): void {
  const now = new Date().toISOString()
  for (const tab of tabs) {
    queryClient.setQueryData<number>(networkKeys.count(memberId, tab), (count) =>
      count === undefined ? undefined : changedCount(count, tab, change),
    )
    queryClient.setQueryData<Paged<Contact>>(networkKeys.list(memberId, tab), (list) =>
      changeRows(list, (pages) => changedList(pages, tab, change, now)),
    )
  }
  queryClient.setQueriesData<Ties>(
    { queryKey: networkKeys.ties(memberId) },
    (ties) => ties && changedTies(ties, change),
  )
}

/** What came of it: whether what was wanted is so now, and which connection it was about. */
interface Outcome {
  done: boolean
  connectionId: string | undefined
}

/** What is sent, and what the other side is told of it. */
async function perform(queryClient: QueryClient, memberId: string, action: Action, other: Other): Promise<Outcome> {
  const { otherId, tie } = other
  const done: Outcome = { done: true, connectionId: tie?.connectionId }
  if (action === 'remove') {
    if (tie) await deleteConnection(tie.connectionId)
    return done
  }
  if (action === 'decline') {
    if (tie) await answerConnection(tie.connectionId, 'declined')
    return done
  }
  const me = await queryClient.ensureQueryData(profileQuery(memberId))
  const name = nameOf(me)
  const tell = (title: string, content: string, connectionId: string) =>
    void notifyMember({
      recipientId: otherId,
      actorId: memberId,
      type: 'connection',
      title,
      content,
      referenceId: connectionId,
      url: paths.network,
      event: { connection_id: connectionId },
    })
  if (action === 'accept') {
    if (!tie) return { ...done, done: false }
    await answerConnection(tie.connectionId, 'accepted')
    tell(copy.notifications.accepted(name), copy.notifications.acceptedText, tie.connectionId)
    return done
  }
  // Whoever declined may ask in their turn: their own no goes first.
  if (tie?.connectionStatus === 'declined' && !tie.isRequester) await deleteConnection(tie.connectionId)
  const asked = await requestConnection(memberId, otherId)
  if (asked.made) tell(copy.notifications.asked(name), copy.notifications.askedText(unitOf(me)), asked.tie.connectionId)
  return {
    done: asked.tie.isRequester && asked.tie.connectionStatus === 'pending',
    connectionId: asked.tie.connectionId,
  }
}

const said = (action: Action, { tie }: Other) => {
  if (action === 'request') return copy.sent
  if (action === 'accept') return copy.accepted
  if (action === 'decline') return copy.declined
  return tie?.connectionStatus === 'pending' ? copy.withdrawn : copy.removed
}

interface Deed {
  action: Action
  other: Other
}

const mutationKey = ['connections', 'action'] as const

export function useConnectionActions() {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationKey,
    mutationFn: ({ action, other }: Deed) => perform(queryClient, memberId, action, other),
    onMutate: async ({ action, other }) => {
      await queryClient.cancelQueries({ queryKey: networkKeys.all })
      const before = queryClient.getQueriesData({ queryKey: networkKeys.all })
      applyChange(queryClient, memberId, { ...other, before: other.tie, after: after(action, other.tie) })
      return { before }
    },
    onSuccess: (outcome, { action, other }) => {
      if (outcome.done) showToast(said(action, other))
    },
    onError: (cause, { action }, kept) => {
      kept?.before.forEach(([key, data]) => queryClient.setQueryData(key, data))
      logError('The connection could not be changed', cause)
      const words = action === 'request' ? copy.requestFailed : copy.actionFailed
      showToast({ ...words, description: messageOf(cause, copy.tryAgain) })
    },
    onSettled: (outcome, _cause, { other }) => {
      const id = outcome?.connectionId ?? other.tie?.connectionId
      return followConnections(queryClient, memberId, id && id !== optimistic.connectionId ? [id] : []).catch(
        (cause: unknown) => logError('The connection could not be read again', cause),
      )
    },
  })
  return {
    /** One thing at a time about one person: a second click, before the first is drawn, does nothing. */
    act: (action: Action, other: Other) => {
      const busy = queryClient.isMutating({
        mutationKey,
        predicate: ({ state }) => (state.variables as Deed | undefined)?.other.otherId === other.otherId,
      })
      if (busy === 0) mutate({ action, other })
    },
    /** The person whose tie is being changed right now. */
    busyWith: isPending ? variables.other.otherId : null,
  }
}
