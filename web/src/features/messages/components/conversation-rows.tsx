/** The rows of the list, virtualized: on desktop the pane scrolls, on mobile the page does. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { NavigationType, useNavigationType } from 'react-router-dom'
import { WindowedList } from '@/components/ui/windowed-list'
import { useIsMobile } from '@/lib/browser/media'
import { copy } from '../copy'
import type { Conversation } from '../model'

interface Props {
  conversations: readonly Conversation[]
  /** More pages exist than are loaded. */
  more: boolean
  children: (conversation: Conversation) => ReactNode
  /** Rendered after the last row. */
  end: ReactNode
}

const rowHeight = 68

/** Scroll position of the pane when it was last unmounted, restored on Back. */
let leftAt = 0

function Pane({ conversations, more, children, end }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const cameBack = useNavigationType() === NavigationType.Pop
  const list = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => conversations[index]?.participantId ?? index,
    overscan: 6,
    initialOffset: () => (cameBack ? leftAt : 0),
  })
  // In a layout effect: after it the pane is detached and has no scroll position.
  useLayoutEffect(() => {
    const element = box.current
    return () => {
      leftAt = element?.scrollTop ?? 0
    }
  }, [])
  return (
    <div ref={box} className="min-h-0 grow overflow-y-auto overscroll-contain">
      <div role="list" aria-label={copy.conversations} className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, key, start }) => {
          const conversation = conversations[index]
          return (
            conversation && (
              <div
                key={key}
                ref={list.measureElement}
                data-index={index}
                role="listitem"
                aria-posinset={index + 1}
                aria-setsize={more ? -1 : conversations.length}
                className="absolute inset-x-0"
                style={{ top: start }}
              >
                {children(conversation)}
              </div>
            )
          )
        })}
      </div>
      {end}
    </div>
  )
}

export function ConversationRows(props: Props) {
  const { conversations, more, children, end } = props
  if (!useIsMobile()) return <Pane {...props} />
  return (
    <>
      <WindowedList
        items={conversations}
        keyOf={({ participantId }) => participantId}
        estimate={rowHeight}
        more={more}
        label={copy.conversations}
      >
        {children}
      </WindowedList>
      {end}
    </>
  )
}
