/**
 * A virtualized list that scrolls with the page and renders only the rows near the viewport; aria attributes give each row's
 * position in the whole. Rows with user state (an open menu or thread, a draft) stay rendered, so that no input is lost.
 */
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { keepSizes, sizesOf } from './row-sizes'
import { useFocusKept } from '@/lib/focus/use-focus-kept'

interface Props<T> {
  items: readonly T[]
  keyOf: (item: T) => string
  /** Estimated row height before measuring, in px; better too high than too low. */
  estimate: number
  /** Gap between rows, in px. */
  gap?: number
  /** Items per row. */
  columns?: number
  /** More pages exist than are loaded: the total is not known yet. */
  more?: boolean
  label?: string
  /** Identifies the list, so that its measured row heights are reused when the member returns to it. */
  memory?: string
  rowClassName?: (index: number) => string
  children: (item: T) => ReactNode
}

const maxKept = 20

/** The list's offset in the page; what is above it may grow. */
function useTop() {
  const ref = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const measure = useCallback(() => {
    if (ref.current) setTop(Math.round(ref.current.getBoundingClientRect().top + window.scrollY))
  }, [])
  useLayoutEffect(() => {
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [measure])
  return { ref, top }
}

const rowsOf = <T,>(items: readonly T[], columns: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / columns) }, (_, i) => items.slice(i * columns, (i + 1) * columns))

export function WindowedList<T>({
  items,
  keyOf,
  estimate,
  gap = 0,
  columns = 1,
  more = false,
  label,
  memory,
  rowClassName,
  children,
}: Props<T>) {
  const { ref, top } = useTop()
  useFocusKept(ref)
  const [touched, setTouched] = useState<readonly string[]>([])
  const rows = rowsOf(items, columns)
  const keyAt = (index: number) => {
    const first = rows[index]?.[0]
    return first === undefined ? String(index) : keyOf(first)
  }
  const kept = new Set(touched)
  const [sizes] = useState(() => sizesOf(memory))
  const list = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => estimate,
    getItemKey: keyAt,
    scrollMargin: top,
    gap,
    overscan: 4,
    initialOffset: () => window.scrollY,
    initialMeasurementsCache: sizes,
    rangeExtractor: (range: Range) => {
      const near = defaultRangeExtractor(range)
      if (kept.size === 0) return near
      const far = rows.flatMap((row, index) => (row.some((item) => kept.has(keyOf(item))) ? [index] : []))
      return [...new Set([...near, ...far])].sort((a, b) => a - b)
    },
  })
  const remember = useEffectEvent(() => keepSizes(memory, list.takeSnapshot()))
  useEffect(() => () => remember(), [])
  const touch = (key: string) =>
    setTouched((before) =>
      before.at(-1) === key ? before : [...before.filter((one) => one !== key), key].slice(-maxKept),
    )
  return (
    <div ref={ref} role="list" aria-label={label} className="relative" style={{ height: list.getTotalSize() }}>
      {list.getVirtualItems().map(({ index, key, start }) => (
        <div
          key={key}
          ref={list.measureElement}
          data-index={index}
          role="presentation"
          className={rowClassName?.(index)}
          style={{
            position: 'absolute',
            insetInline: 0,
            top: start - top,
            ...(columns > 1 && { display: 'grid', gap, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }),
          }}
        >
          {rows[index]?.map((item, place) => (
            <div
              key={keyOf(item)}
              role="listitem"
              aria-posinset={index * columns + place + 1}
              aria-setsize={more ? -1 : items.length}
              className="grid grid-cols-1"
              onFocus={() => touch(keyOf(item))}
            >
              {children(item)}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
