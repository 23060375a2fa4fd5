/** All notifications, newest first, 20 at a time (§7.15, §9.1). */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Bell, Check, Trash2 } from 'lucide-react'
import { Link } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { remindLater, useRemindLater } from '@/api/profiles/use-remind-later'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { paths } from '@/config/paths'
import { WindowedList } from '@/components/ui/windowed-list'
import { useNow } from '@/lib/browser/use-now'
import { rowsOf } from '@/lib/live-lists/keyset'
import { useShortMemory } from '@/lib/live-lists/long-lists'
import { showToast } from '@/lib/toasts/toast'
import { notificationKeys } from '../api/keys'
import { type AppNotification, notificationsQuery } from '../api/queries'
import { copy } from '../copy'
import { certificationOf, targetOf } from '../model'
import { useNotificationActions } from '../use-notification-actions'
import { NotificationSkeletons } from './notification-skeletons'
import { NotificationTag } from './notification-tag'
import { NotificationText } from './notification-text'

interface RowProps {
  notification: AppNotification
  now: Date
  onRead: () => void
  onRemove: () => void
}

/** §10.6. */
function RemindLater({ certificationId, onDone }: { certificationId: string; onDone: () => void }) {
  const { remindMe, isPending } = useRemindLater(onDone)
  return (
    <BusyButton
      variant="line"
      size="sm"
      className="mb-3 ml-17 md:ml-18"
      busy={isPending}
      busyLabel={remindLater.busy}
      onClick={() => remindMe(certificationId)}
    >
      {remindLater.action}
    </BusyButton>
  )
}

function Row({ notification, now, onRead, onRemove }: RowProps) {
  const { seen, title, metadata } = notification
  const certificationId = certificationOf(notification)
  return (
    <div className="hover:bg-sunken">
      <div data-seen={seen} className="flex items-start gap-2 pr-2">
        <Link
          to={targetOf(metadata)}
          onClick={() => !seen && onRead()}
          className="relative flex min-w-0 grow gap-3 py-4 pl-4 focus-visible:-outline-offset-2 md:pl-5"
        >
          {!seen && (
            <span aria-hidden className="absolute top-8 left-1 h-2 w-2.5 slant rounded-[2px] bg-ember md:left-1.5" />
          )}
          <NotificationTag metadata={metadata} title={title} />
          <span className="min-w-0">
            <NotificationText notification={notification} now={now} />
            {!seen && <span className="sr-only">, {copy.unread}</span>}
          </span>
        </Link>
        <div className="flex shrink-0 gap-1 pt-3 max-sm:flex-col max-sm:pt-2">
          {!seen && (
            <Button variant="quiet" size="icon-sm" aria-label={copy.list.markOne(title)} onClick={onRead}>
              <Check aria-hidden />
            </Button>
          )}
          <Button variant="quiet" size="icon-sm" aria-label={copy.list.remove(title)} onClick={onRemove}>
            <Trash2 aria-hidden />
          </Button>
        </div>
      </div>
      {certificationId && <RemindLater certificationId={certificationId} onDone={() => !seen && onRead()} />}
    </div>
  )
}

export function NotificationList() {
  const memberId = useMemberId()
  const list = useInfiniteQuery(notificationsQuery(memberId))
  const now = useNow()
  useShortMemory(notificationKeys.list(memberId))
  const { markOne, remove } = useNotificationActions()
  if (list.isPending) {
    return (
      <Card>
        <NotificationSkeletons count={5} />
      </Card>
    )
  }
  if (!list.data) {
    return (
      <Card>
        <Failed title={copy.list.error.title} onRetry={() => void list.refetch()}>
          {copy.list.error.description}
        </Failed>
      </Card>
    )
  }
  const notifications = rowsOf(list.data)
  const more = () =>
    void list.fetchNextPage().then((next) => {
      if (next.isFetchNextPageError) showToast(copy.list.moreError)
    })
  return (
    <div className="grid grid-cols-1 gap-4">
      <Card className="overflow-hidden">
        {notifications.length === 0 ? (
          <EmptyState
            glyph={<Bell />}
            title={copy.list.empty.title}
            action={<LinkButton to={paths.notificationSettings}>{copy.settings}</LinkButton>}
          >
            {copy.list.empty.text}
          </EmptyState>
        ) : (
          <WindowedList
            items={notifications}
            keyOf={(notification) => notification.id}
            estimate={92}
            more={list.hasNextPage}
            label={copy.title}
            rowClassName={(index) => (index > 0 ? 'border-t border-line' : '')}
          >
            {(notification) => (
              <Row
                notification={notification}
                now={now}
                onRead={() => markOne(notification.id)}
                onRemove={() => remove(notification.id)}
              />
            )}
          </WindowedList>
        )}
      </Card>
      {list.hasNextPage && (
        <BusyButton
          className="justify-self-center"
          busy={list.isFetchingNextPage}
          busyLabel={copy.list.loadingMore}
          onClick={more}
        >
          {copy.list.loadMore}
        </BusyButton>
      )}
    </div>
  )
}
