/** Two panes; on mobile one at a time, selected by the URL (`?with=`). */
import clsx from 'clsx'
import { MessagesSquare } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { EmptyState } from '@/components/ui/empty-state'
import { isUuid } from '@/lib/format/uuid'
import { copy } from '../copy'
import { ConversationList } from './conversation-list'
import { Thread } from './thread'

export function MessagesScreen({ connect }: { connect: (otherId: string) => ReactNode }) {
  const memberId = useMemberId()
  const [params] = useSearchParams()
  const param = params.get('with')?.toLowerCase() ?? ''
  const openId = isUuid(param) && param !== memberId ? param : null
  const screen = useRef<HTMLDivElement>(null)
  const openBefore = useRef(openId)
  // With a mouse one goes on typing; on a phone the keyboard stays away, and the focus moves to the start of the pane.
  useEffect(() => {
    if (openBefore.current === openId) return
    openBefore.current = openId
    if (openId && window.matchMedia('(hover: hover)').matches) {
      const box = screen.current?.querySelector<HTMLElement>('[data-slot=composer] textarea:not(:disabled)')
      if (box) return box.focus({ preventScroll: true })
    }
    const lost = document.activeElement === null || document.activeElement === document.body
    const pane = openId ? '[data-slot=thread]' : '[data-slot=conversations]'
    if (lost) screen.current?.querySelector<HTMLElement>(pane)?.focus({ preventScroll: true })
  }, [openId])
  return (
    <div
      ref={screen}
      className={clsx(
        '-mx-(--gutter) -mt-4 grid grid-cols-1 border-line md:mx-0 md:-mt-8 md:-mb-16 md:h-[calc(100dvh-var(--bar-height)-1px)] md:grid-cols-[21rem_minmax(0,1fr)] md:border-x md:in-data-has-strip-on-desktop:h-[calc(100dvh-var(--bar-height)-2rem-2px)]',
        openId
          ? 'h-[calc(100dvh-3.5rem)] max-md:-mb-[calc(var(--dock-height)+env(safe-area-inset-bottom)+2rem)] max-md:in-data-has-strip:h-[calc(100dvh-5.5rem)]'
          : 'min-h-[calc(100dvh-3.5rem-1px-var(--dock-height))] max-md:-mb-8',
      )}
    >
      <h1 className="sr-only">{copy.title}</h1>
      <section
        aria-label={copy.conversations}
        data-slot="conversations"
        tabIndex={-1}
        className={clsx(
          'flex min-h-0 min-w-0 flex-col border-line bg-surface outline-none md:border-r',
          openId && 'max-md:hidden',
        )}
      >
        <ConversationList openId={openId} />
      </section>
      {openId ? (
        <Thread key={openId} otherId={openId} connect={connect(openId)} />
      ) : (
        <div className="grid place-items-center max-md:hidden">
          <EmptyState glyph={<MessagesSquare />} title={copy.pick.title}>
            {copy.pick.text}
          </EmptyState>
        </div>
      )}
    </div>
  )
}
