/** All conversations by page, newest first, and search results (§3.19). */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { CloudOff, MessagesSquare, Search, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { messageKeys } from '@/api/messages/keys'
import { isWhole, type Unread, unreadMessagesQuery } from '@/api/messages/unread'
import { searchTerm } from '@/api/people/model'
import { useMemberId } from '@/api/session/auth-context'
import { Avatar } from '@/components/ui/avatar'
import { Count } from '@/components/ui/badge'
import { LinkButton } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { Input } from '@/components/ui/field'
import { LoadMore } from '@/components/ui/load-more'
import { Loading, PersonSkeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { wordsFor } from '@/lib/device/outbox/copy'
import { useNow } from '@/lib/browser/use-now'
import { formatAgo } from '@/lib/format/dates'
import { rowsOf } from '@/lib/live-lists/keyset'
import { useShortMemory } from '@/lib/live-lists/long-lists'
import { useDebouncedValue } from '@/lib/browser/use-debounced-value'
import { conversationsQuery } from '../api/queries'
import { copy } from '../copy'
import { type Conversation, countBySender, mergeFound, type Outgoing } from '../model'
import { useOutgoing } from '../outbox'
import { ConversationRows } from './conversation-rows'
import { NewMessage } from './new-message'

interface RowProps {
  conversation: Conversation
  unread: number
  current: boolean
  now: Date
}

/** The member's own newest message, which is not sent (§17.2). */
function UnsentPreview({ content, delivery, reason }: Outgoing) {
  const isRefused = delivery === 'refused'
  const Icon = isRefused ? TriangleAlert : CloudOff
  return (
    <span
      dir="auto"
      className={clsx('truncate text-left text-small', isRefused ? 'text-destructive-text' : 'text-muted')}
    >
      {delivery !== 'sending' && <Icon aria-hidden className="mr-1.5 inline size-4 align-[-0.2em]" />}
      <span className="sr-only">{wordsFor(delivery, reason)}: </span>
      {copy.you(content)}
    </span>
  )
}

function Row({ conversation, unread, current, now }: RowProps) {
  const { participantId, participantName, participantAvatar, lastMessage } = conversation
  const mine = lastMessage.recipient_id === participantId
  const unsent = useOutgoing(participantId).at(-1)
  const at = unsent?.created_at ?? lastMessage.created_at
  return (
    <Link
      to={paths.messagesWith(participantId)}
      aria-current={current ? 'true' : undefined}
      className={clsx(
        'flex gap-3 border-l-4 py-3 pr-4 pl-3 focus-visible:-outline-offset-2 md:pr-5 md:pl-4',
        current ? 'border-ember bg-sunken' : 'border-transparent hover:bg-sunken',
      )}
    >
      <Avatar memberId={participantId} name={participantName} url={participantAvatar} />
      <span className="min-w-0 grow">
        <span className="flex items-baseline justify-between gap-2">
          <b dir="auto" className="truncate text-left type-name">
            {participantName}
          </b>
          <time dateTime={at} className="shrink-0 text-small text-muted tabular-nums">
            {formatAgo(at, now)}
          </time>
        </span>
        <span className="flex items-center justify-between gap-2">
          {unsent ? (
            <UnsentPreview {...unsent} />
          ) : (
            <span
              dir="auto"
              className={clsx('truncate text-left text-small', unread > 0 ? 'font-[640]' : 'text-muted')}
            >
              {mine ? copy.you(lastMessage.content) : lastMessage.content}
            </span>
          )}
          <Count value={unread} what={copy.unread} />
        </span>
      </span>
    </Link>
  )
}

function Skeletons() {
  return (
    <Loading label={copy.loading}>
      {[0, 1, 2, 3].map((i) => (
        <PersonSkeleton key={i} className="px-5 py-3" lines={['w-2/5', 'w-4/5']} />
      ))}
    </Loading>
  )
}

/** By sender, updated live; when not listed or not loaded yet, the count fetched with the conversation. */
function unreadBySender(waiting: Unread | undefined) {
  const counts = countBySender(waiting?.listed ?? [])
  const whole = waiting !== undefined && isWhole(waiting)
  return ({ participantId, unreadCount }: Conversation) =>
    whole ? (counts.get(participantId) ?? 0) : Math.max(counts.get(participantId) ?? 0, unreadCount)
}

function Found({ wanted, openId }: { wanted: string; openId: string | null }) {
  const memberId = useMemberId()
  const all = useInfiniteQuery(conversationsQuery(memberId, ''))
  const found = useInfiniteQuery({ ...conversationsQuery(memberId, wanted), placeholderData: keepPreviousData })
  useShortMemory(messageKeys.conversations(memberId, ''))
  const unread = unreadBySender(useQuery(unreadMessagesQuery(memberId)).data)
  const now = useNow()
  if (found.isPending) return <Skeletons />
  if (!found.data) {
    return (
      <Failed title={copy.error.title} onRetry={() => void found.refetch()}>
        {copy.error.description}
      </Failed>
    )
  }
  const shown = wanted ? mergeFound(rowsOf(found.data), rowsOf(all.data), wanted) : rowsOf(found.data)
  if (shown.length === 0) {
    return wanted ? (
      <p role="status" className="px-5 py-4 text-small text-muted">
        {copy.nothingFound}
      </p>
    ) : (
      <EmptyState
        glyph={<MessagesSquare />}
        title={copy.empty.title}
        action={<LinkButton to={paths.network}>{copy.empty.action}</LinkButton>}
      >
        {copy.empty.text}
      </EmptyState>
    )
  }
  return (
    <ConversationRows
      conversations={shown}
      more={found.hasNextPage}
      end={found.hasNextPage && <LoadMore of={found} label={copy.olderConversations} busyLabel={copy.loadingMore} />}
    >
      {(one) => <Row conversation={one} unread={unread(one)} current={one.participantId === openId} now={now} />}
    </ConversationRows>
  )
}

export function ConversationList({ openId }: { openId: string | null }) {
  const [typed, setTyped] = useState('')
  const wanted = useDebouncedValue(searchTerm(typed))
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
            maxLength={100}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      </div>
      <Found wanted={wanted} openId={openId} />
    </>
  )
}
