/** An empty list: an icon, a title, one sentence, at most one action. */
import type { ReactNode } from 'react'

interface Props {
  glyph: ReactNode
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** One heading level below the surrounding section. */
  heading?: 'h1' | 'h2' | 'h3'
}

export function EmptyState({ glyph, title, children, action, heading: Heading = 'h2' }: Props) {
  return (
    <div data-slot="empty" className="grid justify-items-center gap-2 px-6 py-10 text-center">
      <span
        aria-hidden
        className="mb-2 grid size-13 place-items-center rounded-card bg-sunken text-muted [&_svg]:size-6"
      >
        {glyph}
      </span>
      <Heading className="type-card">{title}</Heading>
      {children && <p className="max-w-[36ch] text-ui text-muted">{children}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
