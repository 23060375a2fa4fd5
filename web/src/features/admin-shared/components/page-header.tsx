/** The header of an admin page: its title, a line of facts, its main action. */
import type { ReactNode } from 'react'

export function PageHeader({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-4">
      <div>
        <h1 className="type-h1">{title}</h1>
        {lead && <p className="mt-1 text-small text-muted">{lead}</p>}
      </div>
      {children && <div className="flex flex-wrap gap-3">{children}</div>}
    </header>
  )
}
