/** One card of settings. */
import type { ReactNode } from 'react'
import { Card } from '@/components/ui/card'

export function Section({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <Card>
      <section aria-label={title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <div>
          <h2 className="type-card">{title}</h2>
          {lead && <p className="mt-1 text-small text-muted">{lead}</p>}
        </div>
        {children}
      </section>
    </Card>
  )
}
