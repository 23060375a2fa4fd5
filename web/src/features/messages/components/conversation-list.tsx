/** All conversations, newest first (§3.19). */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { MessagesSquare, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { unreadMessagesQuery } from '@/api/messages/unread'
import { useMemberId } from '@/api/session/auth-context'
import { Avatar } from '@/components/ui/avatar'
import { Count } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { Input } from '@/components/ui/field'
import { LoadMore } from '@/components/ui/load-more'
import { Bone, Loading } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { formatAgo } from '@/lib/dates'
import { rowsOf } from '@/lib/keyset'
import { recentQuery } from '../api/queries'
import { copy } from '../copy'
import { type Conversation, conversationsOf, countBySender } from '../model'
import { NewMessage } from './new-message'

function Row({ conversation, current, now }: { conversation: Conversation; current: boolean; now: Date }) {
  const { participantId, participantName, participantAvatar, lastMessage, unreadCount } = conversation
  const mine = lastMessage.recipient_id === participantId
  return (
    <li className="[contain-intrinsic-size:auto_4.25rem] [content-visibility:auto]">
      <Link
        to={`${paths.messages}?with=${participantId}`}
        aria-current={current ? 'true' : undefined}
        className={clsx(
          'flex gap-3 border-l-4 px-4 py-3 focus-visible:-outline-offset-2',
          current ? 'border-ember bg-sunken' : 'border-transparent hover:bg-sunken',
        )}
      >
        <Avatar memberId={participantId} name={participantName} url={participantAvatar} />
        <span className="min-w-0 grow">
          <span className="flex items-baseline justify-between gap-2">
            <b className="truncate type-name">{participantName}</b>
            <time dateTime={lastMessage.created_at} className="shrink-0 text-small text-muted tabular-nums">
              {formatAgo(lastMessage.created_at, now)}
            </time>
          </span>
          <span className="flex items-center justify-between gap-2">
            <span className={clsx('truncate text-small', unreadCount > 0 ? 'font-[640]' : 'text-muted')}>
              {mine ? copy.you(lastMessage.content) : lastMessage.content}
            </span>
            <Count value={unreadCount} what={copy.unread} />
          </span>
        </span>
      </Link>
    </li>
  )
}

function Skeletons() {
  return (
    <Loading label={copy.loading}>
      {[0, 1, 2, 3].map((i) => (
        <div key={i} className="flex gap-3 px-5 py-3">
          <Bone className="size-10 rounded-[24%]" />
          <div className="grid grow content-center gap-2">
            <Bone className="h-4 w-2/5" />
            <Bone className="h-3.5 w-4/5" />
          </div>
        </div>
      ))}
    </Loading>
  )
}

const matches = (conversation: Conversation, wanted: string) =>
  conversation.participantName.toLowerCase().includes(wanted) ||
  conversation.messages.some((message) => message.content.toLowerCase().includes(wanted))

export function ConversationList({ openId }: { openId: string | null }) {
  const memberId = useMemberId()
  const recent = useInfiniteQuery(recentQuery(memberId))
  const unread = useQuery(unreadMessagesQuery(memberId)).data
  const [wanted, setWanted] = useState('')
  let content: ReactNode
  if (recent.isPending) content = <Skeletons />
  else if (!recent.data) {
    content = (
      <Failed title={copy.error.title} onRetry={() => void recent.refetch()}>
        {copy.error.description}
      </Failed>
    )
  } else {
    const all = conversationsOf(rowsOf(recent.data), memberId, countBySender(unread ?? []))
    const shown = wanted.trim() ? all.filter((one) => matches(one, wanted.trim().toLowerCase())) : all
    const now = new Date(recent.dataUpdatedAt)
    content =
      all.length === 0 ? (
        <EmptyState glyph={<MessagesSquare />} title={copy.empty.title}>
          {copy.empty.text}
        </EmptyState>
      ) : (
        <>
          {shown.length === 0 && <p className="px-5 py-4 text-small text-muted">{copy.nothingFound}</p>}
          <ul>
            {shown.map((one) => (
              <Row key={one.participantId} conversation={one} current={one.participantId === openId} now={now} />
            ))}
          </ul>
          {recent.hasNextPage && (
            <LoadMore
              manual
              busy={recent.isFetchingNextPage}
              onMore={() => void recent.fetchNextPage()}
              label={copy.olderConversations}
              busyLabel={copy.loadingMore}
            />
          )}
        </>
      )
  }
  return (
    <>
      <div className="grid gap-3 px-4 pt-4 pb-3 md:px-5 md:pt-5">
        <div className="flex items-center justify-between gap-3">
          <h2 className="type-h2 text-[1.375rem]">{copy.title}</h2>
          <NewMessage />
        </div>
        <div className="relative">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 size-5 -translate-y-1/2 text-muted"
          />
          <Input
            type="search"
            aria-label={copy.find}
            placeholder={copy.find}
            className="pl-10"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </div>
      </div>
      {content}
    </>
  )
}
