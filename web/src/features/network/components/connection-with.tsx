/** The connection with a given person, for pages of other features. */
import { useQuery } from '@tanstack/react-query'
import { useUnsentAction } from '@/api/connections/outbox'
import { connectionsWithQuery } from '@/api/connections/queries'
import { nameOf } from '@/api/people/model'
import { personQuery } from '@/api/people/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Skeleton } from '@/components/ui/skeleton'
import { copy } from '../copy'
import { ConnectionActions, UnsentAction } from './connection-actions'

interface Props {
  otherId: string
  size?: 'sm' | 'md'
  withState?: boolean
  /** Which action is the page's primary button. */
  lead?: boolean
  /** Only connect and answer: no message button, no removal. */
  onlyUnconnected?: boolean
  /** The menu with the removal stands elsewhere. */
  withoutMenu?: boolean
}

export function ConnectionWith({ otherId, size, withState, lead, withoutMenu, onlyUnconnected = false }: Props) {
  const memberId = useMemberId()
  const person = useQuery(personQuery(otherId))
  const connections = useQuery(connectionsWithQuery(memberId, [otherId]))
  const unsent = useUnsentAction(otherId)
  // Also for a profile that is hidden meanwhile, or was never read on this device.
  if (unsent) return <UnsentAction unsent={unsent} name={nameOf(unsent.payload.other.profile, copy.hidden)} />
  if (connections.isPending || person.isPending) return onlyUnconnected ? null : <Skeleton className="h-10 w-28" />
  const connection = connections.data?.[otherId]
  // A hidden profile accepts no requests.
  if ((!person.data && !connection) || (onlyUnconnected && connection?.connectionStatus === 'accepted')) return null
  return (
    <ConnectionActions
      other={{ otherId, profile: person.data ?? null, connection }}
      size={size}
      withState={withState}
      lead={lead}
      withoutMenu={withoutMenu}
    />
  )
}
