/**
 * The search field in the bar, with results in groups while one types; `/` focuses it (§11.1). Below 1280 px it is a link
 * to the search page. The panel is loaded when it is first needed.
 */
import { Search } from 'lucide-react'
import { type KeyboardEvent, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { LinkButton } from '@/components/ui/button'
import { limits } from '@/config/limits'
import { paths } from '@/config/paths'
import { importHandled } from '@/lib/browser/handled-import'
import { useDebouncedValue } from '@/lib/browser/use-debounced-value'
import { isSearchKey } from '@/lib/focus/search-key'

const Panel = lazy(() => importHandled(() => import('@/features/search/components/panel')))
const label = 'Search'
const panelId = 'search-results'
const typingMs = 150

export function SearchBox() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const field = useRef<HTMLInputElement>(null)
  const asked = pathname === paths.search ? (new URLSearchParams(search).get('q') ?? '') : ''
  const [text, setText] = useState(asked)
  const [shown, setShown] = useState(asked)
  if (shown !== asked) {
    setShown(asked)
    setText(asked)
  }
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [targets, setTargets] = useState<string[]>([])
  const term = useDebouncedValue(text.trim(), typingMs)
  const isOpen = open && text.trim().length >= limits.searchMinLength && term.length >= limits.searchMinLength

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!isSearchKey(event)) return
      event.preventDefault()
      if (!field.current?.checkVisibility()) return void navigate(paths.search)
      field.current.focus()
      field.current.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate])

  const close = useCallback(() => {
    setOpen(false)
    setActive(-1)
  }, [])
  const go = (to: string) => {
    close()
    void navigate(to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const target = isOpen ? targets[active] : undefined
      if (target) go(target)
      else if (text.trim()) go(`${paths.search}?q=${encodeURIComponent(text.trim())}`)
    } else if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((before) => ((before + step + 1 + targets.length + 1) % (targets.length + 1)) - 1)
    }
  }
  return (
    <>
      <LinkButton to={paths.search} variant="bar-quiet" size="icon" aria-label={label} className="xl:hidden">
        <Search aria-hidden />
      </LinkButton>
      <div
        role="search"
        className="relative max-xl:hidden"
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) close()
        }}
      >
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-bar-muted"
        />
        <input
          ref={field}
          type="search"
          role="combobox"
          aria-label={label}
          aria-expanded={isOpen}
          aria-controls={panelId}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && active >= 0 ? `${panelId}-${active}` : undefined}
          aria-keyshortcuts="/"
          autoComplete="off"
          maxLength={200}
          placeholder={label}
          value={text}
          onFocus={() => setOpen(true)}
          onChange={(event) => {
            setText(event.target.value)
            setOpen(true)
            setActive(-1)
          }}
          onKeyDown={onKeyDown}
          className="h-10 w-36 rounded-control border border-[oklch(0.62_0.012_70)] bg-transparent pr-3 pl-9 text-ui text-bar-text placeholder:text-bar-muted min-[90rem]:w-64"
        />
        {isOpen && (
          <div className="absolute top-full right-0 z-30 mt-2 w-[min(34rem,90vw)]">
            <Suspense>
              <Panel id={panelId} term={term} active={active} onOptions={setTargets} onChosen={close} />
            </Suspense>
          </div>
        )}
      </div>
    </>
  )
}
