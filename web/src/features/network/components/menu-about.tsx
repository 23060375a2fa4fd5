/** The menu about a given person, for pages of other features: their entries, and the removal of a connection. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { connectionsWithQuery } from '@/api/connections/queries'
import { useConnectionActions } from '@/api/connections/use-connection-actions'
import { nameOf } from '@/api/people/model'
import { personQuery } from '@/api/people/queries'
import { useMemberId } from '@/api/session/auth-context'
import { PersonMenu } from './connection-actions'

export function MenuAbout({ otherId, children }: { otherId: string; children: ReactNode }) {
  const { runAction } = useConnectionActions()
  const profile = useQuery(personQuery(otherId)).data ?? null
  const connection = useQuery(connectionsWithQuery(useMemberId(), [otherId])).data?.[otherId]
  const isConnected = connection?.connectionStatus === 'accepted'
  return (
    <PersonMenu
      name={nameOf(profile)}
      size="md"
      variant="line"
      onRemove={isConnected ? () => runAction('remove', { otherId, profile, connection }) : undefined}
    >
      {children}
    </PersonMenu>
  )
}
