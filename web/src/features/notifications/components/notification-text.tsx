/** The content of a notification: title, excerpt, time. */
import { formatAgo } from '@/lib/format/dates'
import { sentenceOf } from '../model'

interface Props {
  notification: { title: string; content: string | null; metadata: unknown; created_at: string }
  now: Date
}

export function NotificationText({ notification: { title, content, metadata, created_at }, now }: Props) {
  const { name, rest } = sentenceOf(title, metadata)
  return (
    <>
      <span dir={rest ? undefined : 'auto'} className="line-clamp-4 text-left text-ui [overflow-wrap:anywhere]">
        <bdi className="type-name">{name}</bdi>
        {rest}
      </span>
      {content && (
        <span dir="auto" className="line-clamp-2 text-left text-small [overflow-wrap:anywhere] text-muted">
          {content}
        </span>
      )}
      <time dateTime={created_at} className="text-small text-muted">
        {formatAgo(created_at, now)}
      </time>
    </>
  )
}
