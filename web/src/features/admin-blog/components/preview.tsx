/** The rendered article; on wide screens beside the form, with its own scrollbar. */
/* eslint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable without a mouse */
import type { ReactNode } from 'react'
import { Card } from '@/components/ui/card'
import { copy } from '../copy'

export function Preview({ children }: { children: ReactNode }) {
  return (
    <section aria-labelledby="preview" className="min-w-0 xl:sticky xl:top-8 xl:self-start">
      <h2 id="preview" className="mb-3 type-card">
        {copy.preview}
      </h2>
      <div
        tabIndex={0}
        role="group"
        aria-labelledby="preview"
        className="rounded-card xl:max-h-[calc(100dvh-7rem)] xl:overflow-y-auto"
      >
        <Card className="p-5">{children}</Card>
      </div>
    </section>
  )
}
