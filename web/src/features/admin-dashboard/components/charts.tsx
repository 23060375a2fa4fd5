/** Charts as plain SVG: two lines over weeks, and bars by name. Each has a one-sentence text alternative. */
import clsx from 'clsx'
import { Fragment, useEffect, useRef, useState } from 'react'
import { niceTop } from '../model'

const number = new Intl.NumberFormat('en-US')
const height = 230
const pad = { top: 12, right: 24, bottom: 28, left: 48 }

/** Redrawn for the available width, not scaled. */
function useWidth() {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(560)
  useEffect(() => {
    if (!frame.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(260, entry.contentRect.width)))
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  return { frame, width }
}

export interface Series {
  name: string
  values: number[]
}

/** The legend, beside the title of its chart. */
export function Key({ names }: { names: string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-small text-muted">
      {names.map((name, place) => (
        <li key={name} className="flex items-center gap-2">
          <svg aria-hidden viewBox="0 0 20 6" className="h-1.5 w-5 -skew-x-[35deg]">
            <line
              x1="0"
              x2="20"
              y1="3"
              y2="3"
              strokeWidth="4"
              stroke={place === 0 ? 'var(--chart-1)' : 'var(--chart-2)'}
              strokeDasharray={place === 0 ? undefined : '6 4'}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

export function Lines({ labels, series, says }: { labels: string[]; series: Series[]; says: string }) {
  const { frame, width } = useWidth()
  const top = niceTop(Math.max(0, ...series.flatMap(({ values }) => values)))
  const x = (place: number) => pad.left + ((width - pad.left - pad.right) * place) / Math.max(1, labels.length - 1)
  const y = (value: number) => pad.top + (height - pad.top - pad.bottom) * (1 - value / top)
  const every = Math.max(1, Math.ceil(labels.length / (width < 420 ? 3 : 5)))
  const marks = labels
    .map((label, place) => ({ label, place }))
    .filter(({ place }) => (labels.length - 1 - place) % every === 0)
  return (
    <div ref={frame} className="mt-auto min-w-0">
      <svg role="img" aria-label={says} width={width} height={height} className="block max-w-full text-mark">
        {[0, 1, 2, 3, 4].map((step) => (
          <g key={step}>
            <line
              x1={pad.left}
              x2={width - pad.right}
              y1={y((top / 4) * step)}
              y2={y((top / 4) * step)}
              stroke="var(--chart-grid)"
            />
            <text x={pad.left - 8} y={y((top / 4) * step) + 4} textAnchor="end" fill="var(--muted)">
              {number.format((top / 4) * step)}
            </text>
          </g>
        ))}
        {marks.map(({ label, place }) => (
          <text key={place} x={x(place)} y={height - 6} textAnchor="middle" fill="var(--muted)">
            {label}
          </text>
        ))}
        {series[0] && series[0].values.length > 1 && (
          <polygon
            points={[
              ...series[0].values.map((value, week) => `${x(week)},${y(value)}`),
              `${x(series[0].values.length - 1)},${y(0)}`,
              `${x(0)},${y(0)}`,
            ].join(' ')}
            fill="var(--chart-1)"
            fillOpacity="0.08"
          />
        )}
        {series.map(({ name, values }, place) => (
          <polyline
            key={name}
            points={values.map((value, week) => `${x(week)},${y(value)}`).join(' ')}
            fill="none"
            stroke={place === 0 ? 'var(--chart-1)' : 'var(--chart-2)'}
            strokeWidth="2.5"
            strokeDasharray={place === 0 ? undefined : '6 4'}
          />
        ))}
        {series[0] && series[0].values.length > 0 && (
          <circle
            cx={x(series[0].values.length - 1)}
            cy={y(series[0].values.at(-1) ?? 0)}
            r="4.5"
            fill="var(--chart-1)"
            stroke="var(--surface)"
            strokeWidth="2"
          />
        )}
      </svg>
    </div>
  )
}

export interface Bar {
  name: string
  value: number
  said: string
  /** How much of the row it fills, 0 to 1. */
  share: number
}

export function Bars({ bars, says }: { bars: Bar[]; says: string }) {
  const most = Math.max(0, ...bars.map(({ share }) => share))
  return (
    <div
      role="img"
      aria-label={says}
      className="grid grid-cols-[fit-content(55%)_minmax(3rem,1fr)_auto] items-center gap-x-3 gap-y-2.5 text-small"
    >
      {bars.map(({ name, share, said }) => (
        <Fragment key={name}>
          <span className="truncate" title={name}>
            {name}
          </span>
          <span
            className={clsx('block h-3.5', share === most ? 'bg-chart-1' : 'bg-chart-2')}
            style={{ width: `${share > 0 ? Math.max(1, 100 * share) : 0}%` }}
          />
          <b className="text-right tabular-nums">{said}</b>
        </Fragment>
      ))}
    </div>
  )
}
