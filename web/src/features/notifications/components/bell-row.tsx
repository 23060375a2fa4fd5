/** One notification in the bell: the row of the list. */
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useNow } from '@/lib/browser/use-now'
import type { BellItem } from '../api/queries'
import { targetOf } from '../model'
import { NotificationTag } from './notification-tag'
import { NotificationText } from './notification-text'

interface Props {
  item: BellItem
  onFollow: () => void
  /** Accept and decline, where it is a request. */
  answer: ReactNode
}

export function BellRow({ item, onFollow, answer }: Props) {
  return (
    <li className="hover:bg-sunken">
      <Link
        to={targetOf(item.metadata)}
        onClick={onFollow}
        className="flex gap-3 px-4 py-3 text-ui focus-visible:-outline-offset-2"
      >
        <NotificationTag metadata={item.metadata} title={item.title} />
        <NotificationText notification={item} now={useNow()} seen={false} />
      </Link>
      {answer}
    </li>
  )
}
