/** What happened last, live: newest on top, new ones marked for ten seconds, with what to do about them. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { FileText, Flag, ListChecks, ShieldAlert, UserPlus } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '@/components/ui/avatar'
import { Button, LinkButton } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { adminCopy } from '@/features/admin-shared/copy'
import { useNow } from '@/lib/browser/use-now'
import { formatAgo } from '@/lib/format/dates'
import { type RecentEvent, recentEventsQuery } from '../api/queries'
import { copy } from '../copy'
import { arrivedSince, factsOf } from '../model'
import { Panel } from './panel'

const strings = copy.justNow
const markedMs = 10_000
const icons = {
  waitlist: ListChecks,
  member: UserPlus,
  report: ShieldAlert,
  feedback: Flag,
  article: FileText,
} as const

/** Where it is dealt with, and the words of the link. */
function placeOf({ kind, id, subject, memberId, detail }: RecentEvent): { to: string; label: string } {
  switch (kind) {
    case 'waitlist':
      return { to: `/admin/waitlist?search=${encodeURIComponent(subject ?? '')}`, label: strings.invite }
    case 'member':
      return { to: paths.profileOf(memberId ?? id), label: strings.profile }
    case 'report':
      return { to: '/admin/reports', label: strings.review }
    case 'feedback':
      return { to: `/admin/feedback?entry=${id}`, label: strings.answer }
    case 'article':
      return { to: paths.blogPost(detail ?? ''), label: strings.read }
  }
}

function sentenceOf({ kind, name, subject, detail }: RecentEvent): ReactNode {
  const who = <b className="type-name">{name ?? subject ?? strings.someone}</b>
  switch (kind) {
    case 'waitlist': {
      const facts = factsOf(detail, adminCopy.types)
      return (
        <>
          <b className="type-name">{subject}</b> {strings.waitlist}
          {facts && ` ${facts}.`}
        </>
      )
    }
    case 'member':
      return (
        <>
          {who} {detail === 'invited' ? strings.cameInvited : strings.joined}
        </>
      )
    case 'report':
      return (
        <>
          {strings.reported(strings.subjects[subject ?? ''] ?? subject ?? '')}{' '}
          <b className="type-name">{strings.reasons[detail ?? ''] ?? detail}</b>
        </>
      )
    case 'feedback':
      return (
        <>
          <b className="type-name">{name ?? strings.visitor}</b> {strings.feedback} <bdi>“{detail}”</bdi>
        </>
      )
    case 'article':
      return (
        <>
          {who} {strings.published} <b className="type-name">{subject}</b>
        </>
      )
  }
}

function Row({ event, now, isNew }: { event: RecentEvent; now: Date; isNew: boolean }) {
  const Icon = icons[event.kind]
  const { to, label } = placeOf(event)
  const urgent = event.kind === 'waitlist' || event.kind === 'report'
  return (
    <li className={clsx('flex gap-3 px-4 py-3 transition-colors duration-(--base) md:px-5', isNew && 'bg-ember-soft')}>
      {event.memberId ? (
        <Avatar memberId={event.memberId} name={event.name} url={event.avatarUrl} size="sm" />
      ) : (
        <span className="grid size-8 shrink-0 place-items-center rounded-[24%] bg-sunken text-muted">
          <Icon aria-hidden className="size-4.5" />
        </span>
      )}
      <div className="min-w-0 grow text-small">
        <p dir="auto" className="[overflow-wrap:anywhere]">
          {sentenceOf(event)}
        </p>
        {urgent ? (
          <LinkButton to={to} size="sm" className="mt-2">
            {label}
          </LinkButton>
        ) : (
          <Link to={to} className="inline-flex min-h-6 items-center link">
            {label}
          </Link>
        )}
      </div>
      <time dateTime={event.happenedAt} className="shrink-0 text-small text-muted">
        {formatAgo(event.happenedAt, now)}
      </time>
    </li>
  )
}

/** The rows that came while the page is open, each for ten seconds. */
function useNewOnes(events: readonly RecentEvent[] | undefined): ReadonlySet<string> {
  const [known, setKnown] = useState<readonly RecentEvent[] | undefined>(events)
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  if (events && events !== known) {
    setKnown(events)
    const arrived = known ? arrivedSince(known, events) : []
    if (arrived.length > 0) setMarked(new Set([...marked, ...arrived]))
  }
  useEffect(() => {
    if (marked.size === 0) return
    const timer = window.setTimeout(() => setMarked(new Set()), markedMs)
    return () => window.clearTimeout(timer)
  }, [marked])
  return marked
}

export function JustNow({ className }: { className?: string }) {
  const events = useQuery(recentEventsQuery)
  const [paused, setPaused] = useState<RecentEvent[] | null>(null)
  const shown = paused ?? events.data ?? []
  const waiting = paused && events.data ? arrivedSince(paused, events.data).length : 0
  const marked = useNewOnes(events.data)
  const now = useNow()
  return (
    <Panel
      title={strings.title}
      {...(className ? { className } : {})}
      action={
        <Button variant="quiet" size="sm" onClick={() => setPaused(paused ? null : (events.data ?? []))}>
          {paused ? strings.resume(waiting) : strings.pause}
        </Button>
      }
      flush
      queries={[events]}
      empty={shown.length === 0 ? strings.none : null}
    >
      <ol className="divide-y divide-line border-t border-line">
        {shown.map((event) => (
          <Row key={`${event.kind} ${event.id}`} event={event} now={now} isNew={!paused && marked.has(event.id)} />
        ))}
      </ol>
    </Panel>
  )
}
