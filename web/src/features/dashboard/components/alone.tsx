/** For members without connections: a link to find the first one. */
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { connectionCountQuery } from '@/api/connections/queries'
import { useMemberId } from '@/api/session/auth-context'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { copy } from '../copy'

const strings = copy.alone

export function Alone() {
  const connections = useQuery(connectionCountQuery(useMemberId(), 'connections')).data
  if (connections !== 0) return null
  return (
    <Card>
      <section aria-label={strings.title} className="grid grid-cols-1 justify-items-start gap-3 p-4 md:p-5">
        <h2 className="type-card">{strings.title}</h2>
        <p className="text-ui text-muted">{strings.text}</p>
        <LinkButton to={paths.network} size="sm">
          <UserPlus aria-hidden /> {strings.find}
        </LinkButton>
      </section>
    </Card>
  )
}
