/** A way to write to somebody one is not connected to (a connection has it among its actions). */
import { useQuery } from '@tanstack/react-query'
import { connectionsWithQuery } from '@/api/connections/queries'
import { useMemberId } from '@/api/session/auth-context'
import { LinkButton } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { copy } from '../copy'

export function WriteTo({ otherId }: { otherId: string }) {
  const connections = useQuery(connectionsWithQuery(useMemberId(), [otherId]))
  if (!connections.data || connections.data[otherId]?.connectionStatus === 'accepted') return null
  return <LinkButton to={`${paths.messages}?with=${otherId}`}>{copy.actions.message}</LinkButton>
}
