/** Shows which rows of how many are displayed, with links to the other pages. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { adminCopy } from '../copy'
import { pageSize } from '../model'

interface PagerProps {
  page: number
  total: number
  /** There are more than `total`: counting stopped there. */
  more?: boolean | undefined
  onPage: (page: number) => void
}

export function Pager({ page, total, more = false, onPage }: PagerProps) {
  if (total === 0) return null
  const from = (page - 1) * pageSize + 1
  const to = more ? page * pageSize : Math.min(page * pageSize, total)
  // Not `disabled`: a button that becomes unavailable while in use keeps the focus.
  const step = (label: string, to: number, off: boolean, sign: typeof ChevronLeft) => {
    const Sign = sign
    return (
      <Button size="icon-sm" aria-label={label} aria-disabled={off} onClick={() => !off && onPage(to)}>
        <Sign aria-hidden />
      </Button>
    )
  }
  return (
    <div className="flex items-center justify-between gap-4 border-t border-line px-4 py-3 text-small text-muted">
      <p role="status">{adminCopy.pager.of(from, to, total, more)}</p>
      <div className="flex gap-2">
        {step(adminCopy.pager.previous, page - 1, page <= 1, ChevronLeft)}
        {step(adminCopy.pager.next, page + 1, !more && to >= total, ChevronRight)}
      </div>
    </div>
  )
}
