/** A part of a page that could not be loaded, and the way to try again. */
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button'
import { EmptyState } from './empty-state'

export function Failed({ title, children, onRetry }: { title: string; children?: ReactNode; onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState glyph={<TriangleAlert />} title={title} action={<Button onClick={onRetry}>Try again</Button>}>
        {children}
      </EmptyState>
    </div>
  )
}
