/** Filters posts by kind, as one menu; the selection is kept in the URL. */
import { Check, ChevronDown } from 'lucide-react'
import { Link, useLocation } from 'react-router-dom'
import { Button } from '@/components/ui/button'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu'
import { copy } from '../copy'
import { type Kind, kinds } from '../model'

/** The page's own address with another kind; a tag stays. */
const addressOf = (pathname: string, kind: Kind | null, tag: string | undefined) => {
  const params = new URLSearchParams({ ...(kind && { kind }), ...(tag && { tag }) })
  return params.size > 0 ? `${pathname}?${params.toString()}` : pathname
}

export function KindFilter({ current, tag }: { current: Kind | null; tag?: string | undefined }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label={copy.filter} className="flex items-center justify-between gap-3 text-small text-muted">
      <Menu>
        <MenuTrigger asChild>
          <Button variant="quiet" size="sm" className="-ml-3 text-ink">
            <span className="sr-only">{copy.filter}: </span>
            {current ? copy.kinds[current] : copy.allKinds}
            <ChevronDown aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent align="start">
          {[null, ...kinds].map((kind) => (
            <MenuItem key={kind ?? 'all'} asChild>
              <Link
                to={addressOf(pathname, kind, tag)}
                replace
                preventScrollReset
                aria-current={kind === current ? 'true' : undefined}
              >
                {kind ? copy.kinds[kind] : copy.allKinds}
                {kind === current && <Check aria-hidden className="ml-auto" />}
              </Link>
            </MenuItem>
          ))}
        </MenuContent>
      </Menu>
      <span>{copy.newestFirst}</span>
    </nav>
  )
}
