/** Shows which rows of how many are displayed, with links to the other pages. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/field'
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
  const pages = Math.ceil(total / pageSize)
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
      <div className="flex items-center gap-2">
        {!more && total > pageSize && (
          <form
            className="mr-2 flex items-center gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              const asked = Number(new FormData(event.currentTarget).get('page'))
              onPage(Math.min(Math.max(Math.trunc(asked) || 1, 1), pages))
            }}
          >
            <label className="flex items-center gap-2">
              {adminCopy.pager.page}
              <Input
                key={page}
                name="page"
                inputMode="numeric"
                maxLength={5}
                defaultValue={page}
                autoComplete="off"
                className="h-9 w-14 px-2 text-center text-small tabular-nums md:h-8"
              />
            </label>
            <span className="max-sm:sr-only">{adminCopy.pager.ofPages(pages)}</span>
          </form>
        )}
        {step(adminCopy.pager.previous, page - 1, page <= 1, ChevronLeft)}
        {step(adminCopy.pager.next, page + 1, !more && to >= total, ChevronRight)}
      </div>
    </div>
  )
}
