/** The bell: opening marks all as read, and on a phone leaves room below for the toast that says so; dots stay until it closes, so that new ones remain visible (§2.29-35, §4.25). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell as BellIcon, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { Count } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { Link } from 'react-router-dom'
import { asSeen, changeNotifications } from '../api/cache'
import { notificationKeys } from '../api/keys'
import { markAllSeen } from '../api/mutations'
import { type BellItem, unreadQuery } from '../api/queries'
import { copy } from '../copy'
import { type Asked, askedIn } from '../model'
import { BellRow } from './bell-row'
import { NotificationSkeletons } from './notification-skeletons'

interface Shown {
  items: BellItem[]
  count: number
}

const nothing: Shown = { items: [], count: 0 }

/** `answer`: what answers a member's request. */
export function Bell({ memberId, answer }: { memberId: string; answer: (asked: Asked) => ReactNode }) {
  const queryClient = useQueryClient()
  const unread = useQuery(unreadQuery(memberId))
  const [open, setOpen] = useState(false)
  const [shown, setShown] = useState<Shown>(nothing)
  const count = unread.data?.count ?? 0

  const markAll = useMutation({
    mutationFn: () => markAllSeen(memberId),
    onMutate: () => queryClient.setQueryData(notificationKeys.unread(memberId), nothing),
    onSuccess: () => {
      changeNotifications(queryClient, memberId, asSeen)
      return queryClient.invalidateQueries({ queryKey: notificationKeys.unread(memberId) })
    },
    onError: (cause) => {
      logError('Notifications could not be marked as read', cause)
      showToast(copy.markError)
      void queryClient.invalidateQueries({ queryKey: notificationKeys.unread(memberId) })
    },
  })

  const change = (next: boolean) => {
    setOpen(next)
    if (!next) return
    setShown(unread.data ?? nothing)
    if (count === 0) return
    const visible = unread.data?.items.length ?? 0
    markAll.mutate(undefined, { onSuccess: () => visible > 0 && showToast(copy.marked(count)) })
  }

  // Notifications that arrive while it is open are added above those that were new when it opened.
  const arrived = (unread.data?.items ?? []).filter((item) => !shown.items.some((known) => known.id === item.id))
  const items = [...arrived, ...shown.items].slice(0, 5)
  const request = askedIn(items)
  const hidden = shown.count + arrived.length - items.length

  return (
    <Popover.Root open={open} onOpenChange={change}>
      <Popover.Trigger
        aria-label={copy.button(count)}
        className="relative grid size-11 place-items-center rounded-control text-bar-muted hover:bg-bar-hover hover:text-bar-text data-[state=open]:bg-bar-hover data-[state=open]:text-bar-text md:size-10"
      >
        <BellIcon aria-hidden strokeWidth={1.75} className="size-5" />
        <Count value={count} what={copy.unread} onBar size="sm" className="absolute top-0.5 -right-0.5" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={19} // 8 px below the bar
          collisionPadding={8}
          aria-label={copy.title}
          className="z-40 flex max-h-(--radix-popover-content-available-height) w-[min(24.5rem,calc(100vw-1rem))] flex-col overflow-hidden rounded-dialog border border-line bg-raised text-ink shadow-pop duration-(--base) outline-none data-[state=open]:fade-in data-[state=open]:slide-in-from-top-1 motion-safe:data-[state=open]:animate-in max-md:max-h-[calc(var(--radix-popover-content-available-height)-8rem)]"
        >
          <div className="flex items-center justify-between py-2 pr-2 pl-4">
            <h2 className="type-h2">{copy.title}</h2>
            <Popover.Close
              aria-label={copy.close}
              className="grid size-10 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink"
            >
              <X aria-hidden className="size-5" />
            </Popover.Close>
          </div>
          {unread.isPending ? (
            <NotificationSkeletons count={3} />
          ) : unread.isError && items.length === 0 ? (
            <div className="grid justify-items-start gap-3 px-4 pb-5">
              <p role="alert" className="text-ui text-destructive-text">
                {copy.loadError}
              </p>
              <Button size="sm" onClick={() => void unread.refetch()}>
                {copy.again}
              </Button>
            </div>
          ) : items.length === 0 ? (
            <EmptyState glyph={<BellIcon />} title={copy.empty} />
          ) : (
            <ul className="min-h-0 divide-y divide-line overflow-y-auto overscroll-contain">
              {items.map((item) => {
                const asked = request(item)
                return (
                  <BellRow key={item.id} item={item} onFollow={() => setOpen(false)} answer={asked && answer(asked)} />
                )
              })}
            </ul>
          )}
          {hidden > 0 && (
            <Link
              to={paths.notifications}
              onClick={() => setOpen(false)}
              className="block border-t border-line bg-sunken px-4 py-3 text-center text-small font-semibold hover:underline"
            >
              {copy.more(hidden)}
            </Link>
          )}
          <div className="grid grid-cols-2 divide-x divide-line border-t border-line text-center text-small font-semibold">
            <Link to={paths.notifications} onClick={() => setOpen(false)} className="px-3 py-3 hover:underline">
              {copy.viewAll}
            </Link>
            <Link to={paths.notificationSettings} onClick={() => setOpen(false)} className="px-3 py-3 hover:underline">
              {copy.settings}
            </Link>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
