/** Details of one member for an admin: counts and the audit log, no content. */
import { useQuery } from '@tanstack/react-query'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import type { Member } from '@/features/admin-shared/api/queries'
import { formatDate } from '@/lib/format/dates'
import { memberFiguresQuery } from '../api/queries'
import { copy } from '../copy'
import { AuditLog } from './audit-log'

export function MemberDetails({ member, onClose }: { member: Member; onClose: () => void }) {
  const figures = useQuery(memberFiguresQuery(member.id)).data
  const facts = (
    [
      [copy.department, member.department],
      ['Rank', member.rank],
      ['Type', member.firefighter_type],
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
      </DialogContent>
    </Dialog>
  )
}
