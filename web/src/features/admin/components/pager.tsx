/** Which rows of how many are shown, and the way to the next ones. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { copy } from '../copy'
import { pageSize } from '../model'

export function Pager({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const from = (page - 1) * pageSize + 1
  const to = Math.min(page * pageSize, total)
  return (
    <div className="flex items-center justify-between gap-4 px-4 py-3 text-small text-muted">
      <p role="status">{total === 0 ? copy.pager.none : copy.pager.of(from, to, total)}</p>
      <div className="flex gap-2">
        <Button size="icon-sm" aria-label={copy.pager.previous} disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <ChevronLeft aria-hidden />
        </Button>
        <Button size="icon-sm" aria-label={copy.pager.next} disabled={to >= total} onClick={() => onPage(page + 1)}>
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </div>
  )
}
