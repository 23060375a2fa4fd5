/** The member's activity by week: a bar chart, only the largest bar in ember, with a one-sentence summary. */
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { formatNearDay } from '@/lib/format/dates'
import { copy } from '../copy'
import { byWeek, weekStarts } from '../model'
import { activityQuery, activityWeeks } from '../queries'

const strings = copy.activity
const height = 120
/** Until the width is measured, in px. */
const usualWidth = 320
const widestBar = 40

/** The width of an element, in px: the chart is redrawn for it, not stretched. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(usualWidth)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth || usualWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

/** `weeks`: the day on which each begins. */
function Bars({ counts, weeks }: { counts: number[]; weeks: readonly Date[] }) {
  const { ref, width } = useWidth()
  const step = width / counts.length
  const bar = Math.min(widestBar, step * 0.55)
  const top = Math.max(...counts, 4)
  const largest = counts.indexOf(Math.max(...counts))
  const total = counts.reduce((sum, count) => sum + count, 0)
  return (
    <div ref={ref}>
      <svg
        viewBox={`0 0 ${width} ${height + 24}`}
        role="img"
        aria-label={strings.sentence(total, counts.length, counts[largest] ?? 0)}
        className="block w-full"
      >
        {[0, 1, 2, 3].map((line) => (
          <line
            key={line}
            x1={0}
            x2={width}
            y1={20 + (line * (height - 20)) / 3}
            y2={20 + (line * (height - 20)) / 3}
            className="stroke-chart-grid"
          />
        ))}
        {counts.map((count, week) => {
          const tall = (count / top) * (height - 20)
          const x = week * step + (step - bar) / 2
          return (
            <g key={week}>
              <rect
                x={x}
                y={height - tall}
                width={bar}
                height={tall}
                className={week === largest ? 'fill-chart-1' : 'fill-chart-2'}
              />
              {count > 0 && (
                <text
                  x={x + bar / 2}
                  y={height - tall - 5}
                  textAnchor="middle"
                  className="fill-ink text-[12px] font-[640]"
                >
                  {count}
                </text>
              )}
            </g>
          )
        })}
        {weeks.slice(0, -3).map(
          (start, week) =>
            week % 2 === 0 && (
              <text
                key={week}
                x={(week + 0.5) * step}
                y={height + 18}
                textAnchor="middle"
                className="fill-muted text-[12px]"
              >
                {formatNearDay(start)}
              </text>
            ),
        )}
        <text x={width} y={height + 18} textAnchor="end" className="fill-muted text-[12px]">
          {strings.thisWeek}
        </text>
      </svg>
    </div>
  )
}

export function Activity() {
  const activity = useQuery(activityQuery(useMemberId()))
  const readAt = new Date(activity.dataUpdatedAt || 0)
  const counts = byWeek(activity.data ?? [], activityWeeks, readAt)
  return (
    <Card>
      <section aria-label={strings.title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <div>
          <h2 className="type-card">{strings.title}</h2>
          <p className="text-small text-muted">{strings.lead}</p>
        </div>
        {activity.isPending ? (
          <Loading label={strings.loading}>
            <Skeleton className="h-36 w-full" />
          </Loading>
        ) : activity.isError ? (
          <Failed title={strings.failed} onRetry={() => void activity.refetch()} />
        ) : activity.data.length === 0 ? (
          <p className="text-ui text-muted">
            {strings.empty}{' '}
            <Link to={paths.feed} className="link-inline">
              {strings.write}
            </Link>
          </p>
        ) : (
          <Bars counts={counts} weeks={weekStarts(activityWeeks, readAt)} />
        )}
      </section>
    </Card>
  )
}
