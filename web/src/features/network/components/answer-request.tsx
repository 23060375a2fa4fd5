/** Accept and Decline where a request is only mentioned: in a notification. */
import { useQuery } from '@tanstack/react-query'
import { connectionsWithQuery } from '@/api/connections/queries'
import { useMemberId } from '@/api/session/auth-context'
import { ConnectionActions } from './connection-actions'

interface Props {
  otherId: string
  name: string
  /** All whose requests are shown with it: their connections are one request. */
  among: readonly string[]
}

export function AnswerRequest({ otherId, name, among }: Props) {
  const connections = useQuery(connectionsWithQuery(useMemberId(), among)).data
  const connection = connections?.[otherId]
  if (!connection || connection.connectionStatus === 'declined') return null
  const profile = { id: otherId, full_name: name, avatar_url: null, position: null, department: null }
  return (
    <div className="flex flex-wrap items-center gap-2 pr-4 pb-3.5 pl-17">
      <ConnectionActions other={{ otherId, profile, connection }} withState />
    </div>
  )
}
