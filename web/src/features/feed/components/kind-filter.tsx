/** Filters posts by kind; the selection is kept in the URL. */
import clsx from 'clsx'
import { Link, useLocation } from 'react-router-dom'
import { scrollIntoRow } from '@/lib/focus/scroll-into-row'
import { copy } from '../copy'
import { type Kind, kinds } from '../model'

export function KindFilter({ current }: { current: Kind | null }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label={copy.filter} className="flex [scrollbar-width:none] gap-5 overflow-x-auto border-b border-line">
      {[null, ...kinds].map((kind) => (
        <Link
          key={kind ?? 'all'}
          ref={kind === current ? scrollIntoRow : undefined}
          to={kind ? `${pathname}?kind=${kind}` : pathname}
          replace
          preventScrollReset
          aria-current={kind === current ? 'true' : undefined}
          className={clsx(
            'relative flex min-h-11 shrink-0 items-center text-small font-[600] focus-visible:-outline-offset-2',
            kind === current
              ? "text-ink after:absolute after:inset-x-0.5 after:bottom-0 after:h-1 after:[transform:skewX(-35deg)] after:bg-ember after:content-['']"
              : 'text-muted hover:text-ink',
          )}
        >
          {kind ? copy.shortKinds[kind] : copy.allKinds}
        </Link>
      ))}
    </nav>
  )
}
