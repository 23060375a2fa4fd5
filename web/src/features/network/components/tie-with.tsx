/** The tie with one given person, for pages of other features. */
import { useQuery } from '@tanstack/react-query'
import { tiesQuery } from '@/api/connections/queries'
import { personQuery } from '@/api/people/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Skeleton } from '@/components/ui/skeleton'
import { TieActions } from './tie-actions'

interface Props {
  otherId: string
  size?: 'sm' | 'md'
  withState?: boolean
  /** What one is here for: its button is the page's first. */
  lead?: boolean
  /** Only what asks or answers: no message button, no removal. */
  onlyUntied?: boolean
}

export function TieWith({ otherId, size, withState, lead, onlyUntied = false }: Props) {
  const memberId = useMemberId()
  const person = useQuery(personQuery(otherId))
  const ties = useQuery(tiesQuery(memberId, [otherId]))
  if (ties.isPending || person.isPending) return onlyUntied ? null : <Skeleton className="h-10 w-28" />
  const tie = ties.data?.[otherId]
  // A hidden profile takes no requests.
  if ((!person.data && !tie) || (onlyUntied && tie?.connectionStatus === 'accepted')) return null
  return (
    <TieActions other={{ otherId, profile: person.data ?? null, tie }} size={size} withState={withState} lead={lead} />
  )
}
