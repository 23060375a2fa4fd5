/** The status of a waitlist entry, as a badge. */
import { Badge, type BadgeVariant } from '@/components/ui/badge'
import { adminCopy } from '@/features/admin-shared/copy'

const variants: Record<string, BadgeVariant> = {
  waitlist: 'general',
  pending: 'warning',
  invited: 'info',
  active: 'success',
}

export function WaitlistStatusBadge({ status }: { status: string }) {
  const labels: Record<string, string> = adminCopy.waitlistStatuses
  return <Badge variant={variants[status] ?? 'general'}>{labels[status] ?? status}</Badge>
}
