/** A message button for members who are not connected (connections have it among their actions). */
import { useQuery } from '@tanstack/react-query'
import { connectionsWithQuery } from '@/api/connections/queries'
import { useMemberId } from '@/api/session/auth-context'
import { LinkButton } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { copy } from '../copy'

export function WriteTo({ otherId }: { otherId: string }) {
  const connections = useQuery(connectionsWithQuery(useMemberId(), [otherId]))
  if (!connections.data || connections.data[otherId]?.connectionStatus === 'accepted') return null
  return <LinkButton to={paths.messagesWith(otherId)}>{copy.actions.message}</LinkButton>
}
