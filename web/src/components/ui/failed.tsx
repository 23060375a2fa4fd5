/** The error state of a part of a page, with a retry button. */
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
