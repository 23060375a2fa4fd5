/** All notifications, newest first, 20 at a time (§7.15, §9.1). */
import { useInfiniteQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Bell, Check, Ellipsis, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { remindLater, useRemindLater } from '@/api/profiles/use-remind-later'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu'
import { paths } from '@/config/paths'
import { WindowedList } from '@/components/ui/windowed-list'
import { useNow } from '@/lib/browser/use-now'
import { rowsOf } from '@/lib/live-lists/keyset'
import { useShortMemory } from '@/lib/live-lists/long-lists'
import { showToast } from '@/lib/toasts/toast'
import { notificationKeys } from '../api/keys'
import { type AppNotification, notificationsQuery } from '../api/queries'
import { copy } from '../copy'
import { type Asked, askedIn, askerOf, certificationOf, foldByDay, type Folded, targetOf } from '../model'
import { useNotificationActions } from '../use-notification-actions'
import { NotificationSkeletons } from './notification-skeletons'
import { NotificationTag } from './notification-tag'
import { NotificationText } from './notification-text'

interface RowProps {
  folded: Folded<AppNotification>
  now: Date
  answer: ReactNode
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
      className="mb-3.5 ml-17 md:ml-18"
      busy={isPending}
      busyLabel={remindLater.busy}
      onClick={() => remindMe(certificationId)}
    >
      {remindLater.action}
    </BusyButton>
  )
}

function Row({ folded: { first, all }, now, answer, onRead, onRemove }: RowProps) {
  const { title, metadata } = first
  const seen = all.every((one) => one.seen)
  const certificationId = certificationOf(first)
  return (
    <div data-seen={seen} className="relative hover:bg-sunken">
      <div className="flex items-start gap-1 sm:pr-2">
        <Link
          to={targetOf(metadata)}
          onClick={() => !seen && onRead()}
          className="flex min-w-0 grow gap-3 py-3.5 pl-4 focus-visible:-outline-offset-2 max-sm:min-h-18 max-sm:pr-4 md:pl-5"
        >
          <NotificationTag metadata={metadata} title={title} />
          <NotificationText notification={first} now={now} others={all.length - 1} seen={seen} underDay />
        </Link>
        <Menu>
          <MenuTrigger asChild>
            <Button
              variant="quiet"
              size="icon-sm"
              className="mt-2.5 text-muted max-sm:absolute max-sm:top-9 max-sm:right-1 max-sm:mt-0"
              aria-label={copy.list.menu(title)}
            >
              <Ellipsis aria-hidden />
            </Button>
          </MenuTrigger>
          <MenuContent>
            {!seen && (
              <MenuItem onSelect={onRead}>
                <Check aria-hidden /> {copy.list.markOne}
              </MenuItem>
            )}
            <MenuItem destructive onSelect={onRemove}>
              <Trash2 aria-hidden /> {copy.list.remove}
            </MenuItem>
          </MenuContent>
        </Menu>
      </div>
      {answer}
      {certificationId && <RemindLater certificationId={certificationId} onDone={() => !seen && onRead()} />}
    </div>
  )
}

const isFilter = (value: string | null): value is 'new' | 'requests' => value === 'new' || value === 'requests'

/** All, new ones, requests; kept in the URL. */
function Filter({ current }: { current: string | null }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label={copy.list.filter} className="flex gap-5 border-b border-line">
      {([null, 'new', 'requests'] as const).map((filter) => (
        <Link
          key={filter}
          to={filter ? `${pathname}?show=${filter}` : pathname}
          replace
          aria-current={filter === current ? 'true' : undefined}
          className={clsx(
            'relative flex min-h-11 min-w-6 items-center justify-center text-small font-[600] focus-visible:-outline-offset-2',
            filter === current
              ? "text-ink after:absolute after:inset-x-0.5 after:bottom-0 after:h-1 after:[transform:skewX(-35deg)] after:bg-ember after:content-['']"
              : 'text-muted hover:text-ink',
          )}
        >
          {copy.list.filters[filter ?? 'all']}
        </Link>
      ))}
    </nav>
  )
}

/** `answer`: what answers a member's request. */
export function NotificationList({ answer }: { answer: (asked: Asked) => ReactNode }) {
  const [params] = useSearchParams()
  const show = params.get('show')
  const filter = isFilter(show) ? show : null
  const memberId = useMemberId()
  const list = useInfiniteQuery(notificationsQuery(memberId))
  const now = useNow()
  useShortMemory(notificationKeys.list(memberId))
  const { markRead, remove } = useNotificationActions()
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
  const passes = (one: AppNotification) => (filter === 'new' ? !one.seen : !filter || askerOf(one) !== null)
  const notifications = foldByDay(rowsOf(list.data).filter(passes), now)
  const request = askedIn(rowsOf(list.data))
  const startsDay = (index: number) => notifications[index]?.day !== notifications[index - 1]?.day
  const more = () =>
    void list.fetchNextPage().then((next) => {
      if (next.isFetchNextPageError) showToast(copy.list.moreError)
    })
  return (
    <div className="grid grid-cols-1 gap-4">
      <Filter current={filter} />
      {notifications.length === 0 ? (
        <Card>
          <EmptyState
            glyph={<Bell />}
            title={filter ? copy.list.none : copy.list.empty.title}
            action={<LinkButton to={paths.notificationSettings}>{copy.settings}</LinkButton>}
          >
            {filter ? undefined : copy.list.empty.text}
          </EmptyState>
        </Card>
      ) : (
        <WindowedList
          items={notifications}
          keyOf={({ key }) => key}
          estimate={76}
          more={list.hasNextPage}
          label={copy.title}
        >
          {(folded) => {
            const index = notifications.indexOf(folded)
            const asked = request(folded.first)
            const ids = folded.all.map(({ id }) => id)
            return (
              <>
                {startsDay(index) && (
                  <h2 className={clsx('flex items-center gap-3 pb-2 type-mark text-muted', index > 0 && 'pt-6')}>
                    {folded.day}
                    <i aria-hidden className="h-px grow bg-line" />
                  </h2>
                )}
                <div
                  className={clsx(
                    'overflow-hidden border border-line bg-surface',
                    startsDay(index) ? 'rounded-t-card' : 'border-t-0',
                    (index === notifications.length - 1 || startsDay(index + 1)) && 'rounded-b-card',
                  )}
                >
                  <Row
                    folded={folded}
                    now={now}
                    answer={asked && answer(asked)}
                    onRead={() => markRead(ids)}
                    onRemove={() => remove(ids)}
                  />
                </div>
              </>
            )
          }}
        </WindowedList>
      )}
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
