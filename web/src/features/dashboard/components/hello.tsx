/** The dashboard's greeting. */
import { useQuery } from '@tanstack/react-query'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { copy } from '../copy'

export function Hello() {
  const me = useQuery(profileQuery(useMemberId())).data
  const first = me?.full_name?.trim().split(/\s+/u)[0]
  return (
    <header className="mb-5">
      <h1 className="type-h1 [overflow-wrap:anywhere]">{first ? copy.hello(first) : copy.title}</h1>
      <p className="mt-1 text-muted">{copy.lead}</p>
    </header>
  )
}
