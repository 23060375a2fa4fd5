/** Marks all loaded notifications as read. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { useMemberId } from '@/api/session/auth-context'
import { Button } from '@/components/ui/button'
import { rowsOf } from '@/lib/live-lists/keyset'
import { notificationsQuery } from '../api/queries'
import { copy } from '../copy'
import { useNotificationActions } from '../use-notification-actions'

export function MarkAll() {
  const notifications = rowsOf(useInfiniteQuery(notificationsQuery(useMemberId())).data)
  const { markAll, marking } = useNotificationActions()
  if (notifications.length === 0) return null
  const idle = marking || notifications.every((notification) => notification.seen)
  return (
    <Button
      aria-label={copy.list.markAll}
      aria-disabled={idle}
      className="max-sm:px-3"
      onClick={() => {
        if (!idle) markAll()
      }}
    >
      <CheckCheck aria-hidden />
      <span className="max-sm:hidden">{marking ? copy.list.markingAll : copy.list.markAll}</span>
    </Button>
  )
}
