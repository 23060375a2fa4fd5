/** Details of one member for an admin: counts and the audit log, no content. */
import { useQuery } from '@tanstack/react-query'
import { Button, LinkButton } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { paths } from '@/config/paths'
import type { Member } from '@/features/admin-shared/api/queries'
import { formatDate } from '@/lib/format/dates'
import type { MemberAction } from '../api/mutations'
import { memberFiguresQuery } from '../api/queries'
import { copy } from '../copy'
import { actionsOn } from '../model'
import { AuditLog } from './audit-log'

interface Props {
  member: Member
  isSelf: boolean
  onClose: () => void
  onAction: (action: MemberAction) => void
}

/** What the row's menu offers, too. */
function Actions({ member, isSelf, onAction }: Omit<Props, 'onClose'>) {
  return (
    <div className="mt-6 flex flex-wrap gap-3 border-t border-line pt-4">
      <LinkButton to={paths.profileOf(member.id)}>{copy.profile}</LinkButton>
      {actionsOn(member, isSelf).map((action) => (
        <Button
          key={action}
          variant={action === 'delete' ? 'danger-line' : 'line'}
          className={action === 'delete' ? 'sm:ml-auto' : ''}
          onClick={() => onAction(action)}
        >
          {copy[action]}
        </Button>
      ))}
    </div>
  )
}

export function MemberDetails({ member, isSelf, onClose, onAction }: Props) {
  const figures = useQuery(memberFiguresQuery(member.id)).data
  const facts = (
    [
      [copy.department, member.department],
      [copy.rank, member.rank],
      [copy.kind, member.firefighter_type],
      [copy.joined, formatDate(member.created_at)],
      [copy.lastSignIn, member.last_sign_in_at ? formatDate(member.last_sign_in_at) : copy.never],
    ] as const
  ).filter(([, fact]) => fact)
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={member.full_name ?? copy.nameless} description={member.email} wide>
        <dl className="grid grid-cols-2 gap-4 text-small">
          {facts.map(([name, fact]) => (
            <div key={name}>
              <dt className="text-muted">{name}</dt>
              <dd className="font-semibold">{fact}</dd>
            </div>
          ))}
          {Object.entries(copy.figures).map(([name, label]) => (
            <div key={name}>
              <dt className="text-muted">{label}</dt>
              <dd className="font-semibold tabular-nums">
                {figures ? String(figures[name as keyof typeof figures]) : '–'}
              </dd>
            </div>
          ))}
        </dl>
        <h3 className="mt-6 mb-2 type-card">{copy.logOf}</h3>
        <AuditLog memberId={member.id} />
        <Actions member={member} isSelf={isSelf} onAction={onAction} />
      </DialogContent>
    </Dialog>
  )
}
