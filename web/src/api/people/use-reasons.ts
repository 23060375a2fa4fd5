/** Why these people are near the reader: connections in common, or the same department. */
import { useQuery } from '@tanstack/react-query'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { reasonFor } from './model'
import { sharedConnectionsQuery } from './queries'

export interface Reasoned {
  id: string
  department: string | null
}

/** The function that tells the reason of one of `people`; secondary, so nothing is said while it loads or when it fails. */
export function useReasons(people: readonly Reasoned[], brief = false): (person: Reasoned) => string | null {
  const memberId = useMemberId()
  const own = useQuery(profileQuery(memberId)).data
  const shared = useQuery(
    sharedConnectionsQuery(
      memberId,
      people.map(({ id }) => id),
    ),
  ).data
  return (person) => reasonFor(person, shared?.[person.id] ?? 0, own?.department, brief)
}
