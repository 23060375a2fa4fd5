/** The call to action at the end of the landing page (§2.10). */
import type { ReactNode } from 'react'
import { RollCall } from './roll-call'

interface Props {
  title: string
  lead: string
  /** The name of whoever is signed in. */
  member?: string | undefined
  children: ReactNode
}

export function CallToAction({ title, lead, member, children }: Props) {
  return (
    <section aria-labelledby="cta-title" className="py-[clamp(3rem,6vw,5.5rem)]">
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] lg:items-center lg:gap-16">
        <div>
          <h2
            id="cta-title"
            className="max-w-[20ch] text-[clamp(1.75rem,1.3rem+1.9vw,2.75rem)] leading-[1.08] font-[720] tracking-[-0.015em] text-balance font-stretch-expanded"
          >
            {title}
          </h2>
          <p className="mt-4 mb-8 max-w-[46ch] text-lead text-muted">{lead}</p>
          <div className="flex flex-wrap items-center gap-x-5 gap-y-3 [&>:first-child]:grow sm:[&>:first-child]:grow-0">
            {children}
          </div>
        </div>
        <RollCall member={member} />
      </div>
    </section>
  )
}
