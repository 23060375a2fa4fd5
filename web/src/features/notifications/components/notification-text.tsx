/** The content of a notification: the sentence, and an excerpt. The time stands at the right. */
import { formatAgo, formatUnderDay } from '@/lib/format/dates'
import { copy } from '../copy'
import { sentenceOf } from '../model'

interface Props {
  notification: { title: string; content: string | null; metadata: unknown; created_at: string }
  now: Date
  /** How many more members did the same. */
  others?: number
  seen: boolean
  /** The day is said by a heading. */
  underDay?: boolean
}

export function NotificationText({ notification, now, others = 0, seen, underDay }: Props) {
  const { title, content, metadata, created_at } = notification
  const { name, rest } = sentenceOf(title, metadata)
  return (
    <span className="flex min-w-0 grow items-start justify-between gap-3">
      <span className="min-w-0">
        <span dir={rest ? undefined : 'auto'} className="line-clamp-3 text-left text-ui [overflow-wrap:anywhere]">
          <bdi className="type-name">{name}</bdi>
          {others > 0 && copy.others(others)}
          {rest}
        </span>
        {content && (
          <span dir="auto" className="line-clamp-2 text-left text-small [overflow-wrap:anywhere] text-muted">
            {content}
          </span>
        )}
      </span>
      <span className="flex shrink-0 items-center gap-2 pt-0.5 text-small text-muted">
        <time dateTime={created_at}>{(underDay ? formatUnderDay : formatAgo)(created_at, now)}</time>
        {!seen && (
          <span className="h-2 w-2.5 slant rounded-[2px] bg-ember">
            <span className="sr-only">{copy.unread}</span>
          </span>
        )}
      </span>
    </span>
  )
}
