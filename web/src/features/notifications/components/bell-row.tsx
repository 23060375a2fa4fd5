/** One notification in the bell. */
import { Link } from 'react-router-dom'
import { Avatar } from '@/components/ui/avatar'
import { Mark } from '@/components/ui/brand'
import { useNow } from '@/lib/browser/use-now'
import type { BellItem } from '../api/queries'
import { copy } from '../copy'
import { causerOf, targetOf } from '../model'
import { NotificationText } from './notification-text'

export function BellRow({ item, onFollow }: { item: BellItem; onFollow: () => void }) {
  const causer = causerOf(item.metadata)
  return (
    <li>
      <Link
        to={targetOf(item.metadata)}
        onClick={onFollow}
        className="grid grid-cols-[auto_1fr_auto] gap-3 px-4 py-3 text-ui hover:bg-sunken"
      >
        {causer ? (
          <Avatar memberId={causer} name={item.title} size="sm" />
        ) : (
          <span className="grid size-8 place-items-center rounded-[24%] on-bar">
            <Mark onBar className="size-4.5" />
          </span>
        )}
        <span className="min-w-0">
          <NotificationText notification={item} now={useNow()} />
        </span>
        <span className="mt-2 h-2 w-2.5 slant rounded-[2px] bg-ember">
          <span className="sr-only">{copy.unread}</span>
        </span>
      </Link>
    </li>
  )
}
