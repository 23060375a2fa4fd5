/** Charts as plain SVG: two lines over weeks, and bars by name. Each has a one-sentence text alternative. */
import clsx from 'clsx'
import { Fragment, useEffect, useRef, useState } from 'react'
import { copy } from '../copy'
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
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(180, entry.contentRect.width)))
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
  const every = Math.max(1, Math.ceil(labels.length / (width < 420 ? 2 : 5)))
  const [at, setAt] = useState<number | null>(null)
  const last = labels.length - 1
  const read = (place: number) =>
    `${labels[place] ?? ''}: ${series.map(({ name, values }) => `${name} ${number.format(values[place] ?? 0)}`).join(', ')}`
  const near = (clientX: number, box: DOMRect) => {
    const along = (clientX - box.left - pad.left) / Math.max(1, width - pad.left - pad.right)
    return Math.min(last, Math.max(0, Math.round(along * last)))
  }
  const marks = labels
    .map((label, place) => ({ label, place }))
    .filter(({ place }) => (labels.length - 1 - place) % every === 0)
  return (
    <div ref={frame} className="mt-auto min-w-0">
      <div className="relative has-focus-visible:outline-2 has-focus-visible:outline-focus">
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
            <text
              key={place}
              x={x(place)}
              y={height - 6}
              textAnchor={place === last ? 'end' : 'middle'}
              fill="var(--muted)"
            >
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
          {at !== null && (
            <g>
              <line x1={x(at)} x2={x(at)} y1={pad.top} y2={y(0)} stroke="var(--muted)" />
              {series.map(({ name, values }, place) => (
                <circle
                  key={name}
                  cx={x(at)}
                  cy={y(values[at] ?? 0)}
                  r="4"
                  fill={place === 0 ? 'var(--chart-1)' : 'var(--chart-2)'}
                />
              ))}
            </g>
          )}
        </svg>
        {last > 0 && (
          // Under the pointer, and by arrow keys: the values of one point.
          <input
            type="range"
            min={0}
            max={last}
            value={at ?? last}
            aria-label={copy.points}
            aria-valuetext={read(at ?? last)}
            onChange={(event) => setAt(Number(event.target.value))}
            onFocus={() => setAt((before) => before ?? last)}
            onBlur={() => setAt(null)}
            onPointerMove={(event) => setAt(near(event.clientX, event.currentTarget.getBoundingClientRect()))}
            onPointerLeave={() => setAt(null)}
            className="absolute inset-0 size-full cursor-crosshair opacity-0"
          />
        )}
        {at !== null && (
          <p
            aria-hidden
            className="pointer-events-none absolute top-2 max-w-[55%] rounded-control border border-line bg-raised px-2.5 py-1.5 text-small shadow-pop"
            style={x(at) > width / 2 ? { right: width - x(at) + 8 } : { left: x(at) + 8 }}
          >
            <b className="block type-name">{copy.week(labels[at] ?? '')}</b>
            {series.map(({ name, values }) => (
              <span key={name} className="flex justify-between gap-4">
                {name} <b className="tabular-nums">{number.format(values[at] ?? 0)}</b>
              </span>
            ))}
          </p>
        )}
      </div>
      {last > 0 && (
        <details className="mt-2 text-small">
          <summary className="inline-block min-h-6 cursor-pointer link">{copy.numbers}</summary>
          <div className="mt-2 max-h-60 overflow-auto">
            <table className="w-full text-left tabular-nums">
              <thead className="text-muted">
                <tr>
                  <th scope="col" className="py-1 pr-3 font-semibold">
                    {copy.weekFrom}
                  </th>
                  {series.map(({ name }) => (
                    <th key={name} scope="col" className="py-1 pr-3 text-right font-semibold">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {labels.map((label, place) => (
                  <tr key={place} className="border-t border-line">
                    <th scope="row" className="py-1 pr-3 font-normal">
                      {label}
                    </th>
                    {series.map(({ name, values }) => (
                      <td key={name} className="py-1 pr-3 text-right">
                        {number.format(values[place] ?? 0)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
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
          <span className="block h-3.5 bg-sunken">
            <span
              className={clsx('block h-full', share === most ? 'bg-chart-1' : 'bg-chart-2')}
              style={{ width: `${share > 0 ? Math.max(1, 100 * share) : 0}%` }}
            />
          </span>
          <b className="text-right tabular-nums">{said}</b>
        </Fragment>
      ))}
    </div>
  )
}
