/** A card of the security page, and a row of its lists. */
import type { ReactNode, Ref } from 'react'
import { Card } from '@/components/ui/card'

interface SectionProps {
  title: string
  lead: ReactNode
  action?: ReactNode
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}

export function SecuritySection({ title, lead, action, heading, children }: SectionProps) {
  return (
    <Card>
      <section aria-label={title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 grow basis-56">
            <h2 ref={heading} tabIndex={-1} className="type-card outline-none">
              {title}
            </h2>
            <p className="mt-1 text-small text-muted">{lead}</p>
          </div>
          {action}
        </div>
        {children}
      </section>
    </Card>
  )
}

interface RowProps {
  glyph: ReactNode
  name: ReactNode
  note: string
  children?: ReactNode
}

export function SecurityRow({ glyph, name, note, children }: RowProps) {
  return (
    <li className="flex items-center gap-3 py-3">
      <span
        aria-hidden
        className="grid size-10 shrink-0 place-items-center rounded-[24%] bg-sunken text-muted [&_svg]:size-5"
      >
        {glyph}
      </span>
      <div className="min-w-0 grow">
        <p className="text-ui font-semibold [overflow-wrap:anywhere]">{name}</p>
        <p className="text-small text-muted">{note}</p>
      </div>
      {children}
    </li>
  )
}
