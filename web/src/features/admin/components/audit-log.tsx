/** What admins did to members, newest first. */
import { useQuery } from '@tanstack/react-query'
import { Bone, Loading } from '@/components/ui/skeleton'
import { Failed } from '@/components/ui/failed'
import { formatDate } from '@/lib/dates'
import { actsQuery } from '../api/queries'
import { copy } from '../copy'

const words = copy.users

export function AuditLog({ memberId = null }: { memberId?: string | null }) {
  const acts = useQuery(actsQuery(memberId))
  if (acts.isPending) {
    return (
      <Loading label={copy.loading}>
        <Bone className="h-16" />
      </Loading>
    )
  }
  if (acts.isError) return <Failed title={copy.failed} onRetry={() => void acts.refetch()} />
  if (acts.data.length === 0) return <p className="text-small text-muted">{words.noActs}</p>
  return (
    <ol className="divide-y divide-line text-small">
      {acts.data.map(({ id, act, actor_email, member_email, created_at }) => (
        <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2">
          <span className="[overflow-wrap:anywhere]">
            <b className="type-name">{actor_email ?? words.operators}</b> {words.acts[act] ?? act} {member_email}
          </span>
          <time dateTime={created_at} className="text-muted">
            {formatDate(created_at)}
          </time>
        </li>
      ))}
    </ol>
  )
}
