/** One training: what, when, where, who organizes it, one's answer, and for the organizer who comes. */
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Ban, CalendarDays, CalendarX2, Clock, ExternalLink, MapPin, Share2, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useSeenAbout } from '@/api/notifications/seen'
import { nameOf, unitOf } from '@/api/people/model'
import { useMemberId } from '@/api/session/auth-context'
import {
  dateOf,
  dayParts,
  isKind,
  isOver,
  kindNames,
  placeOf,
  timesOf,
  type Training,
  zoneName,
} from '@/api/trainings/model'
import { DocumentHead } from '@/components/document-head'
import { Badge } from '@/components/ui/badge'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { LinkedText } from '@/components/ui/linked-text'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { readEnv } from '@/config/env'
import { paths } from '@/config/paths'
import { shareLink } from '@/lib/browser/share-link'
import { useNow } from '@/lib/browser/use-now'
import { isUuid } from '@/lib/format/uuid'
import { showToast } from '@/lib/toasts/toast'
import { trainingQuery } from '../api/queries'
import { useTrainingsLive } from '../api/realtime'
import { copy } from '../copy'
import { AddToCalendar } from './add-to-calendar'
import { AnswerButtons } from './answer-buttons'
import { Attendees } from './attendees'
import { OrganizerActions } from './organizer-actions'
import { Seats } from './seats'

const strings = copy.detail

function Fact({
  icon,
  label,
  children,
  detail,
}: {
  icon: ReactNode
  label: string
  children: ReactNode
  detail?: ReactNode
}) {
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <dt className="mt-0.5 text-muted [&_svg]:size-5">
        {icon}
        <span className="sr-only">{label}</span>
      </dt>
      <dd className="text-ui font-semibold [overflow-wrap:anywhere]">{children}</dd>
      {detail && <dd className="col-start-2 text-small [overflow-wrap:anywhere] text-muted">{detail}</dd>}
    </div>
  )
}

function Facts({ training, now }: { training: Training; now: Date }) {
  const { organizer } = training
  const date = dateOf(training.starts_at, training.time_zone, now)
  return (
    <dl className="grid grid-cols-1 gap-4">
      <Fact icon={<CalendarDays aria-hidden />} label={strings.when} detail={zoneName(training)}>
        <time dateTime={training.starts_at}>
          {date}, {timesOf(training, now)}
        </time>
      </Fact>
      <Fact icon={<MapPin aria-hidden />} label={strings.where}>
        {placeOf(training)}
      </Fact>
      <Fact icon={<UserRound aria-hidden />} label={strings.organizer} detail={unitOf(organizer)}>
        {organizer ? (
          <Link to={paths.profileOf(organizer.id)} className="hover:underline">
            {nameOf(organizer, strings.nobody)}
          </Link>
        ) : (
          strings.nobody
        )}
      </Fact>
      {training.link && (
        <Fact icon={<ExternalLink aria-hidden />} label={strings.link}>
          <a href={training.link} target="_blank" rel="nofollow noopener noreferrer" className="link">
            {strings.link}
          </a>
        </Fact>
      )}
    </dl>
  )
}

function Notice({ training, now }: { training: Training; now: Date }) {
  const { is_canceled, moved_at, time_zone } = training
  if (is_canceled) {
    return (
      <p className="flex gap-2 rounded-control bg-destructive-soft p-3 text-small font-semibold text-destructive-text">
        <Ban aria-hidden className="size-5 shrink-0" /> {copy.canceledText}
      </p>
    )
  }
  if (isOver(training, now)) return <p className="text-small text-muted">{copy.overText}</p>
  if (!moved_at) return null
  return (
    <p className="flex gap-2 text-small font-semibold text-warning-text">
      <Clock aria-hidden className="size-5 shrink-0" /> {copy.moved(dateOf(moved_at, time_zone, now))}
    </p>
  )
}

function SideCard({ training, now }: { training: Training; now: Date }) {
  const isOwn = training.user_id === useMemberId()
  const isOpen = !training.is_canceled && !isOver(training, now)
  const share = async () => {
    const url = `${readEnv().siteUrl}${paths.training(training.id)}`
    const done = await shareLink({ title: training.title, text: strings.sharedText, url })
    if (done === 'copied') showToast(strings.copied)
    if (done === 'failed') showToast(strings.shareFailed)
  }
  return (
    <Card className="grid grid-cols-1 gap-4 p-4 md:p-5">
      <Notice training={training} now={now} />
      {isOpen && <Seats training={training} />}
      {training.interested_count > 0 && (
        <p className="-mt-2 text-small text-muted">{strings.interestedToo(training.interested_count)}</p>
      )}
      {isOpen && !isOwn && <AnswerButtons training={training} />}
      {isOpen && isOwn && <OrganizerActions training={training} />}
      <Facts training={training} now={now} />
      <div className="flex flex-wrap gap-2">
        {isOpen && <AddToCalendar training={training} />}
        <Button variant="quiet" onClick={() => void share()}>
          <Share2 aria-hidden /> {strings.share}
        </Button>
      </div>
    </Card>
  )
}

function Shown({ training }: { training: Training }) {
  const now = useNow()
  const isOwn = training.user_id === useMemberId()
  const { month, day } = dayParts(training)
  return (
    <>
      <Link to={paths.trainings} className="mb-4 inline-flex min-h-6 items-center gap-1.5 text-small link">
        <ArrowLeft aria-hidden className="size-4" /> {strings.back}
      </Link>
      <div className="grid grid-cols-1 items-start gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr]">
        <header className="flex min-w-0 gap-4">
          <span
            aria-hidden
            className="grid size-16 shrink-0 content-center justify-items-center rounded-card border border-bar-line bg-bar text-bar-text"
          >
            <span className="type-mark text-bar-ember uppercase">{month}</span>
            <span className="text-[1.5rem] type-figure">{day}</span>
          </span>
          <div className="min-w-0">
            <h1 dir="auto" className="type-h1 [overflow-wrap:anywhere]">
              {training.title}
            </h1>
            <p className="mt-1 flex flex-wrap items-center gap-2 text-muted">
              <Badge variant="training">{isKind(training.kind) ? kindNames[training.kind] : training.kind}</Badge>
              {training.is_canceled && <Badge variant="destructive">{copy.canceled}</Badge>}
              <span className="[overflow-wrap:anywhere]">{placeOf(training)}</span>
            </p>
          </div>
        </header>
        <aside
          aria-label={copy.answers.label}
          className="grid min-w-0 grid-cols-1 gap-4 lg:sticky lg:top-20 lg:row-span-2"
        >
          <SideCard training={training} now={now} />
        </aside>
        <div className="grid min-w-0 grid-cols-1 content-start gap-4">
          {training.description && (
            <Card className="p-4 md:p-5">
              <h2 className="sr-only">{strings.about}</h2>
              <p dir="auto" className="max-w-[65ch] [overflow-wrap:anywhere] whitespace-pre-line">
                <LinkedText text={training.description} />
              </p>
            </Card>
          )}
          {isOwn && <Attendees trainingId={training.id} over={isOver(training, now)} />}
        </div>
      </div>
    </>
  )
}

export function TrainingPage({ id }: { id: string }) {
  const isId = isUuid(id)
  const found = useQuery({ ...trainingQuery(useMemberId(), id), enabled: isId })
  useSeenAbout(found.data?.id ?? null)
  return (
    <>
      <DocumentHead title={found.data?.title ?? copy.title} />
      {isId && <Live id={id} />}
      {isId && found.isPending ? (
        <Loading label={copy.loading} className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_21rem]">
          <Skeleton shape="card" className="h-16 w-full" />
          <Skeleton shape="card" className="h-72 w-full" />
        </Loading>
      ) : found.data ? (
        <Shown training={found.data} />
      ) : isId && found.isError ? (
        <Card>
          <Failed title={strings.failed} onRetry={() => void found.refetch()} />
        </Card>
      ) : (
        <Card>
          <EmptyState
            glyph={<CalendarX2 />}
            heading="h1"
            title={strings.missing.title}
            action={<LinkButton to={paths.trainings}>{strings.back}</LinkButton>}
          >
            {strings.missing.text}
          </EmptyState>
        </Card>
      )}
    </>
  )
}

function Live({ id }: { id: string }) {
  useTrainingsLive(id)
  return null
}
