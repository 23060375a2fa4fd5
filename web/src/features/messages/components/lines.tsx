/** The lines of a conversation, virtualized: stays at the newest, grows upward. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useNow } from '@/lib/browser/use-now'
import { formatDay } from '@/lib/format/dates'
import { copy } from '../copy'
import type { Line } from '../model'
import { stateLabel } from '../state-label'
import { Bubble, type LineActions } from './bubble'

interface Props {
  /** Of the partner. */
  name: string
  lines: readonly Line[]
  /** Loads older messages, if there are any. */
  older: ReactNode
  actions: LineActions
}

/** Space for the button above the oldest line, in px. */
const olderHeight = 64
const padding = 16
/** Within this distance from the end the reader counts as being at the newest message, in px. */
const nearEnd = 80

/** Stays at the end while the viewport shrinks (mobile keyboard, a multi-line draft) and while lines are measured. */
function useStaysAtEnd() {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const sizes = () => `${element.clientHeight} ${element.scrollHeight}`
    let known = sizes()
    const look = () => {
      if (sizes() !== known) return // caused by the layout, not by the reader
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd
    }
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight
      known = sizes()
    })
    element.addEventListener('scroll', look, { passive: true })
    for (const part of [element, ...element.querySelectorAll('[role=log]')]) observer.observe(part)
    return () => {
      element.removeEventListener('scroll', look)
      observer.disconnect()
    }
  }, [])
  return box
}

/** Announces incoming messages, and that one's own waits; lines rendered by scrolling are not new. */
function Arrivals({ newest }: { newest: Line | undefined }) {
  const [first] = useState(newest?.id)
  return (
    <p aria-live="polite" className="sr-only">
      {newest?.state === 'received' && newest.id !== first && newest.content}
      {newest?.mine && newest.state !== 'sent' && newest.state !== 'read' && stateLabel(newest)}
    </p>
  )
}

export function Lines({ name, lines, older, actions }: Props) {
  const box = useStaysAtEnd()
  const now = useNow()
  const newest = lines.at(-1)
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (lines[index]?.endsRun ? 84 : 56),
    getItemKey: (index) => lines[index]?.id ?? index,
    paddingStart: padding + (older ? olderHeight : 0),
    paddingEnd: padding,
    overscan: 8,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: nearEnd,
  })
  const toEnd = () => list.scrollToEnd()
  const goToEnd = useEffectEvent(toEnd)
  useLayoutEffect(() => goToEnd(), [])
  // The member's own message is always scrolled into view.
  const saying = newest?.state === 'sending' || newest?.state === 'waiting' ? newest.id : null
  useEffect(() => {
    if (saying) goToEnd()
  }, [saying])
  const behind = lines.length > 0 && !list.isAtEnd()
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <div
        ref={box}
        // Scrollable by keyboard: required by axe.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={copy.log}
        className="flex min-h-0 grow flex-col overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
      >
        {lines.length === 0 && <p className="m-auto py-10 text-center text-ui text-muted">{copy.start(name)}</p>}
        <div
          role="log"
          aria-live="off"
          aria-label={copy.log}
          className="relative mt-auto shrink-0"
          style={{ height: list.getTotalSize() }}
        >
          {older && <div className="absolute inset-x-0 top-2">{older}</div>}
          {list.getVirtualItems().map(({ index, key, start }) => {
            const line = lines[index]
            return (
              line && (
                <div
                  key={key}
                  ref={list.measureElement}
                  data-index={index}
                  data-state={line.state}
                  className="absolute inset-x-0 flex flex-col px-4 pb-2 md:px-5"
                  style={{ top: start }}
                >
                  {line.startsDay && (
                    <p className="pt-3 pb-4 text-center type-mark text-muted">{formatDay(line.created_at, now)}</p>
                  )}
                  <Bubble line={line} actions={actions} />
                </div>
              )
            )
          })}
        </div>
        <Arrivals newest={newest} />
      </div>
      {behind && (
        <Button size="sm" className="absolute right-4 bottom-3 shadow-pop md:right-5" onClick={toEnd}>
          <ArrowDown aria-hidden /> {copy.newest}
        </Button>
      )}
    </div>
  )
}
