/** The admin dashboard: totals, open work, growth. Aggregates only, computed by the database. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { totalsQuery, waitlistCountsQuery } from '@/features/admin-shared/api/queries'
import { PageHeader } from '@/features/admin-shared/components/page-header'
import { adminCopy } from '@/features/admin-shared/copy'
import { useNow } from '@/lib/browser/use-now'
import { formatAgo } from '@/lib/format/dates'
import { figuresQuery, memberTypesQuery, quizFiguresQuery } from '../api/queries'
import { copy } from '../copy'
import { parsePeriod, percentOf, type Period, runningTotals } from '../model'
import { type Bar, Bars, Lines } from './charts'
import { Jobs } from './jobs'
import { JustNow } from './just-now'
import { Panel } from './panel'
import { PeriodChoice } from './period'

const number = new Intl.NumberFormat('en-US')
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'short', day: 'numeric', year: 'numeric' })
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

interface FigureProps {
  label: string
  value: number
  note: string
  /** Green: more than before; ember: waits for an admin. */
  tone?: 'up' | 'urgent' | undefined
  /** The list that it counts. */
  to?: string
}

const tones = { up: 'font-semibold text-success-text', urgent: 'font-semibold text-ember-text' } as const

function Figure({ label, value, note, tone, to }: FigureProps) {
  const shown = number.format(value)
  return (
    <div className={clsx('relative bg-surface p-4 md:p-5', to && 'hover:bg-sunken')}>
      <dt className="text-small text-muted">{label}</dt>
      <dd className="mt-2 text-[1.75rem] type-figure">
        {to ? (
          <Link
            to={to}
            aria-label={`${label}: ${shown}`}
            className="no-underline before:absolute before:inset-0 before:content-[''] focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:outline-focus"
          >
            {shown}
          </Link>
        ) : (
          shown
        )}
      </dd>
      <dd className={clsx('mt-2 text-small', tone ? tones[tone] : 'text-muted')}>{note}</dd>
    </div>
  )
}

const said = (bars: Bar[]) => bars.map(({ name, said: value }) => `${name} ${value}`).join(', ')
/** Bars that fill their row where everybody is meant: `of`. */
const barsOf = (rows: { name: string; value: number }[], of: number, say: (value: number) => string): Bar[] =>
  [...rows]
    .sort((a, b) => b.value - a.value)
    .map((row) => ({ ...row, share: Math.min(1, row.value / Math.max(1, of)), said: say(row.value) }))

function Totals() {
  const totals = useQuery(totalsQuery)
  const weeks = useQuery(figuresQuery(2))
  const time = useNow()
  const now = totals.data
  const week = weeks.data?.at(-1)
  if (totals.isError || weeks.isError) {
    return (
      <Card className="mb-6">
        <Failed title={adminCopy.failed} onRetry={() => void Promise.all([totals.refetch(), weeks.refetch()])} />
      </Card>
    )
  }
  const grid = 'grid grid-cols-2 gap-px bg-line md:grid-cols-3 2xl:grid-cols-6'
  if (!now || !week) {
    if (!totals.isPending && !weeks.isPending) return null
    return (
      <Card className="mb-6 overflow-hidden">
        <Loading label={adminCopy.loading} className={grid}>
          {Array.from({ length: 6 }, (_, place) => (
            <div key={place} className="grid gap-3 bg-surface p-4 md:p-5">
              <Skeleton className="h-4 w-2/3" />
              <Skeleton className="h-7 w-1/3" />
              <Skeleton className="h-4 w-1/2" />
            </div>
          ))}
        </Loading>
      </Card>
    )
  }
  const before = weeks.data?.at(-2) ?? { members: 0, waitlist: 0, posts: 0 }
  return (
    <Card className="mb-6 overflow-hidden">
      <dl className={grid}>
        <Figure
          to="/admin/users"
          label={copy.members}
          value={now.members}
          note={copy.fresh(week.members, before.members)}
          tone={week.members > before.members ? 'up' : undefined}
        />
        <Figure
          to="/admin/waitlist"
          label={copy.waitlist}
          value={now.waitlist}
          note={copy.fresh(week.waitlist, before.waitlist)}
          tone={week.waitlist > before.waitlist ? 'up' : undefined}
        />
        <Figure
          to="/admin/waitlist?status=invited"
          label={copy.invited}
          value={now.invited}
          note={copy.old(now.invited_long_ago)}
        />
        <Figure label={copy.posts} value={week.posts} note={copy.than(week.posts - before.posts)} />
        <Figure
          to="/admin/reports"
          label={copy.reports}
          value={now.open_reports}
          note={now.open_reports > 0 ? copy.oldestReport(formatAgo(now.oldest_report, time)) : copy.noReports}
          tone={now.open_reports > 0 ? 'urgent' : undefined}
        />
        <Figure
          to="/admin/feedback?status=pending"
          label={copy.feedback}
          value={now.open_feedback}
          note={copy.today(now.feedback_today)}
        />
      </dl>
    </Card>
  )
}

/** The weeks shown, with the number of members and waitlist entries at the end of each. */
function useWeeks(period: Period) {
  const figures = useQuery(figuresQuery(period.weeks))
  const totals = useQuery(totalsQuery)
  const counts = useQuery(waitlistCountsQuery)
  const weeks = useMemo(() => {
    const all = figures.data ?? []
    const joined = [...(counts.data?.values() ?? [])].reduce((sum, one) => sum + one, 0)
    const members = runningTotals(
      all.map((week) => week.members),
      totals.data?.members ?? 0,
    )
    const entries = runningTotals(
      all.map((week) => week.waitlist),
      joined,
    )
    return all
      .map((week, place) => ({ ...week, total: members[place] ?? 0, entries: entries[place] ?? 0 }))
      .filter(({ week }) => week >= period.first && week <= period.last)
  }, [figures.data, totals.data, counts.data, period])
  return { weeks, states: { growth: [figures, totals, counts], figures: [figures] } }
}

function Charts({ period }: { period: Period }) {
  const { weeks, states } = useWeeks(period)
  const types = useQuery(memberTypesQuery)
  const quiz = useQuery(quizFiguresQuery)
  const labels = weeks.map(({ week }) => shortDay.format(new Date(week)))
  const of = (name: 'total' | 'entries' | 'messages' | 'connections' | 'posts') => weeks.map((week) => week[name])
  const sum = (name: 'waitlist' | 'messages' | 'connections' | 'posts') =>
    number.format(weeks.reduce((all, week) => all + week[name], 0))
  const span = copy.inWeeks(weeks.length)
  const answers = quiz.data ?? []
  const answered = answers.find(({ question }) => question === 'total')?.answers ?? 0
  const percent = (value: number) => percentOf(value, answered)
  const asked = (question: string, names: Record<string, string>) =>
    barsOf(
      answers
        .filter((row) => row.question === question)
        .map(({ answer, answers: value }) => ({ name: names[answer] ?? answer, value })),
      answered,
      percent,
    ).slice(0, 10)
  const members = barsOf(
    (types.data ?? []).map(({ firefighter_type, members: value }) => ({
      name: firefighter_type || copy.notGiven,
      value,
    })),
    (types.data ?? []).reduce((all, row) => all + row.members, 0),
    (value) => number.format(value),
  )
  const platforms = asked('platform', adminCopy.platforms)
  const kinds = asked('type', adminCopy.types)
  const none = weeks.length === 0 ? copy.noFigures : null
  return (
    // The panels of what is going on stand right of the charts; on a phone before them.
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid gap-6 xl:order-2">
        <JustNow />
        <Jobs />
      </div>
      <div className="grid gap-6 lg:grid-cols-2">
        <Panel
          title={copy.growth}
          names={[copy.members, copy.joining]}
          className="lg:col-span-2"
          queries={states.growth}
          empty={none}
        >
          <Lines
            labels={labels}
            series={[
              { name: copy.members, values: of('total') },
              { name: copy.joining, values: of('entries') },
            ]}
            says={`Members went from ${weeks[0]?.total ?? 0} to ${weeks.at(-1)?.total ?? 0} ${span}; ${sum('waitlist')} joined the waitlist.`}
          />
        </Panel>
        <Panel
          title={copy.platforms}
          note={answered > 0 ? copy.answered(answered) : undefined}
          className="lg:col-span-2"
          queries={[quiz]}
          empty={platforms.length === 0 ? copy.noAnswersYet : null}
        >
          <Bars bars={platforms} says={said(platforms)} />
        </Panel>
        <Panel title={copy.types} queries={[types]} empty={members.length === 0 ? copy.noMembersYet : null}>
          <Bars bars={members} says={said(members)} />
        </Panel>
        <Panel title={copy.kinds} queries={[quiz]} empty={kinds.length === 0 ? copy.noAnswersYet : null}>
          <Bars bars={kinds} says={said(kinds)} />
        </Panel>
        <Panel title={copy.weekly} queries={states.figures} empty={none}>
          <Lines
            labels={labels}
            series={[{ name: copy.postsSeries, values: of('posts') }]}
            says={`${sum('posts')} posts ${span}.`}
          />
        </Panel>
        <Panel title={copy.activity} names={[copy.messages, copy.connections]} queries={states.figures} empty={none}>
          <Lines
            labels={labels}
            series={[
              { name: copy.messages, values: of('messages') },
              { name: copy.connections, values: of('connections') },
            ]}
            says={`${sum('messages')} messages and ${sum('connections')} new connections ${span}.`}
          />
        </Panel>
      </div>
    </div>
  )
}

export function Dashboard() {
  const [params] = useSearchParams()
  const now = useNow()
  const today = now.toISOString().slice(0, 10)
  const period = useMemo(() => parsePeriod(params, today), [params, today])
  const waiting = useQuery(totalsQuery).data?.waiting ?? 0
  return (
    <>
      <PageHeader
        title={copy.title}
        lead={
          <span className="flex flex-wrap items-center gap-x-3">
            {weekday.format(now)}
            <span className="inline-flex items-center gap-1.5 font-semibold text-success-text">
              <span aria-hidden className="h-2 w-2.5 slant rounded-[2px] bg-current" />
              {copy.live}
            </span>
          </span>
        }
      >
        <PeriodChoice period={period} today={today} />
        {waiting > 0 && (
          <LinkButton variant="primary" to="/admin/waitlist">
            {copy.review(waiting)}
          </LinkButton>
        )}
      </PageHeader>
      <Totals />
      <Charts period={period} />
    </>
  )
}
