/** The dashboard: what stands, what waits, how it grows. Aggregates only, counted by the database. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { type ReactNode, useId, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { formatDate } from '@/lib/dates'
import { figuresQuery, memberTypesQuery, quizFiguresQuery, totalsQuery } from '../api/queries'
import { copy } from '../copy'
import { parsePeriod, type Period, runningTotals } from '../model'
import { type Bar, Bars, Lines } from './charts'
import { ListStates } from './list-states'
import { PageHead } from './page-head'
import { PeriodChoice } from './period'

const words = copy.dashboard
const number = new Intl.NumberFormat('en-US')
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

interface PanelProps {
  title: string
  note?: string
  className?: string
  children: ReactNode
}

function Panel({ title, note, className, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={clsx('min-w-0', className)}>
      <Card className="h-full p-5">
        <div className="mb-4 flex items-baseline justify-between gap-3">
          <h2 id={id} className="type-card">
            {title}
          </h2>
          {note && <span className="text-small text-muted">{note}</span>}
        </div>
        {children}
      </Card>
    </section>
  )
}

function Figure({ label, value, note, up }: { label: string; value: number; note: string; up?: boolean }) {
  return (
    <div className="border-line p-5 max-xl:border-b xl:border-l xl:first:border-l-0">
      <dt className="text-small text-muted">{label}</dt>
      <dd className="mt-2 text-[1.75rem] type-figure">{number.format(value)}</dd>
      <dd className={up ? 'mt-2 text-small font-semibold text-success-text' : 'mt-2 text-small text-muted'}>{note}</dd>
    </div>
  )
}

const said = (bars: Bar[]) => bars.map(({ name, said: value }) => `${name} ${value}`).join(', ')
const barsOf = (rows: { name: string; value: number }[], say: (value: number) => string): Bar[] =>
  [...rows].sort((a, b) => b.value - a.value).map((row) => ({ ...row, said: say(row.value) }))

function Totals() {
  const totals = useQuery(totalsQuery).data
  const weeks = useQuery(figuresQuery(2)).data
  const week = weeks?.at(-1)
  if (!totals || !week) return null
  return (
    <Card className="mb-6">
      <dl className="grid grid-cols-2 xl:grid-cols-5">
        <Figure label={words.members} value={totals.members} note={words.fresh(week.members)} up={week.members > 0} />
        <Figure
          label={words.waitlist}
          value={totals.waitlist}
          note={words.fresh(week.waitlist)}
          up={week.waitlist > 0}
        />
        <Figure label={words.invited} value={totals.invited} note={words.old(totals.invited_long_ago)} />
        <Figure label={words.posts} value={week.posts} note={words.than(week.posts - (weeks?.at(-2)?.posts ?? 0))} />
        <Figure label={words.feedback} value={totals.open_feedback} note={words.today(totals.feedback_today)} />
      </dl>
    </Card>
  )
}

function Growth({ period }: { period: Period }) {
  const figures = useQuery(figuresQuery(period.weeks))
  const totals = useQuery(totalsQuery).data
  const weeks = useMemo(() => {
    const all = figures.data ?? []
    const members = runningTotals(
      all.map((week) => week.members),
      totals?.members ?? 0,
    )
    return all
      .map((week, place) => ({ ...week, total: members[place] ?? 0 }))
      .filter(({ week }) => week >= period.first && week <= period.last)
  }, [figures.data, totals, period])
  const labels = weeks.map(({ week }) => shortDay.format(new Date(week)))
  const of = (name: 'total' | 'waitlist' | 'messages' | 'connections' | 'posts') => weeks.map((week) => week[name])
  const sum = (name: 'waitlist' | 'messages' | 'connections' | 'posts') =>
    number.format(of(name).reduce((all, one) => all + one, 0))
  const span = words.inWeeks(weeks.length)
  return (
    <ListStates query={figures} isEmpty={weeks.length === 0} emptyTitle={words.noFigures} emptyText="">
      <div className="mb-6 grid gap-6 xl:grid-cols-2">
        <Panel title={words.growth} className="xl:col-span-2">
          <Lines
            labels={labels}
            series={[
              { name: words.members, values: of('total') },
              { name: words.joining, values: of('waitlist') },
            ]}
            says={`Members went from ${weeks[0]?.total ?? 0} to ${weeks.at(-1)?.total ?? 0} ${span}; ${sum('waitlist')} joined the waitlist.`}
          />
        </Panel>
        <Panel title={words.weekly}>
          <Lines
            labels={labels}
            series={[{ name: words.postsSeries, values: of('posts') }]}
            says={`${sum('posts')} posts ${span}.`}
          />
        </Panel>
        <Panel title={words.activity}>
          <Lines
            labels={labels}
            series={[
              { name: words.messages, values: of('messages') },
              { name: words.connections, values: of('connections') },
            ]}
            says={`${sum('messages')} messages and ${sum('connections')} new connections ${span}.`}
          />
        </Panel>
      </div>
    </ListStates>
  )
}

function Breakdowns() {
  const types = useQuery(memberTypesQuery).data ?? []
  const quiz = useQuery(quizFiguresQuery).data ?? []
  const answered = quiz.find(({ question }) => question === 'total')?.answers ?? 0
  const percent = (value: number) => `${answered ? Math.round((100 * value) / answered) : 0} %`
  const of = (question: string, names: Record<string, string>) =>
    barsOf(
      quiz
        .filter((row) => row.question === question)
        .map(({ answer, answers }) => ({ name: names[answer] ?? answer, value: answers })),
      percent,
    ).slice(0, 10)
  const members = barsOf(
    types.map(({ firefighter_type, members: value }) => ({ name: firefighter_type || words.notGiven, value })),
    (value) => number.format(value),
  )
  const platforms = of('platform', copy.platforms)
  const kinds = of('type', copy.types)
  return (
    <div className="grid gap-6 lg:grid-cols-2 xl:grid-cols-3">
      <Panel title={words.types}>
        <Bars bars={members} says={said(members)} />
      </Panel>
      <Panel title={words.platforms} note={words.answered(answered)}>
        <Bars bars={platforms} says={said(platforms)} />
      </Panel>
      <Panel title={words.kinds}>
        <Bars bars={kinds} says={said(kinds)} />
      </Panel>
    </div>
  )
}

export function Dashboard() {
  const [params] = useSearchParams()
  const today = new Date().toISOString().slice(0, 10)
  const period = useMemo(() => parsePeriod(params, today), [params, today])
  const waiting = useQuery(totalsQuery).data?.waiting ?? 0
  return (
    <>
      <PageHead title={words.title} lead={formatDate(new Date())}>
        <PeriodChoice period={period} today={today} />
        {waiting > 0 && (
          <LinkButton variant="primary" to="/admin/waitlist?status=pending">
            {words.review(waiting)}
          </LinkButton>
        )}
      </PageHead>
      <Totals />
      <Growth period={period} />
      <Breakdowns />
    </>
  )
}
