/** The header of an admin page: its title, a line of facts, its main action. */
import type { ReactNode } from 'react'

export function PageHeader({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="min-w-0 grow basis-64">
        {/* As tall as a button: the title stands at the same height on pages with and without actions. */}
        <h1 className="flex min-h-11 items-center type-h1 md:min-h-10">{title}</h1>
        {lead && <div className="mt-1 text-small text-muted">{lead}</div>}
      </div>
      {children && <div className="flex flex-wrap items-center gap-3">{children}</div>}
    </header>
  )
}
