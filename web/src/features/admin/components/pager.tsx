/** Which rows of how many are shown, and the way to the next ones. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { copy } from '../copy'
import { pageSize } from '../model'

interface PagerProps {
  page: number
  total: number
  /** There are more than `total`: it was not counted further. */
  more?: boolean
  onPage: (page: number) => void
}

export function Pager({ page, total, more = false, onPage }: PagerProps) {
  const from = (page - 1) * pageSize + 1
  const to = more ? page * pageSize : Math.min(page * pageSize, total)
  return (
    <div className="flex items-center justify-between gap-4 px-4 py-3 text-small text-muted">
      <p role="status">{total === 0 ? copy.pager.none : copy.pager.of(from, to, total, more)}</p>
      <div className="flex gap-2">
        <Button size="icon-sm" aria-label={copy.pager.previous} disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <ChevronLeft aria-hidden />
        </Button>
        <Button
          size="icon-sm"
          aria-label={copy.pager.next}
          disabled={!more && to >= total}
          onClick={() => onPage(page + 1)}
        >
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </div>
  )
}
