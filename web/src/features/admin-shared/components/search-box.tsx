/** A debounced search field, with a button that clears it; `/` focuses it. */
import clsx from 'clsx'
import { Search, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Input } from '@/components/ui/field'
import { isSearchKey } from '@/lib/focus/search-key'
import { adminCopy } from '../copy'

export function SearchBox({
  value,
  label,
  onSearch,
  wide = false,
}: {
  value: string
  label: string
  onSearch: (text: string) => void
  wide?: boolean
}) {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  // What was searched for comes back as the value a few renders later, while somebody may be typing on.
  const [sent, setSent] = useState<string[]>([])
  if (value !== seen) {
    setSeen(value)
    setSent(sent.slice(sent.indexOf(value) + 1))
    // Changed from outside: browser history, or the button that clears the filters.
    if (!sent.includes(value)) setTyped(value)
  }
  const search = useEffectEvent((text: string) => {
    if (text === (sent.at(-1) ?? value)) return
    setSent([...sent, text])
    onSearch(text)
  })
  useEffect(() => {
    const timer = window.setTimeout(() => search(typed.trim()), 300)
    return () => window.clearTimeout(timer)
  }, [typed])
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isSearchKey(event)) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div role="search" className={clsx('relative min-w-0 grow', !wide && 'sm:max-w-96')}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-muted"
      />
      <Input
        type="search"
        ref={field}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={typed}
        maxLength={100}
        onChange={(event) => setTyped(event.target.value)}
        className="pr-10 pl-10 [&::-webkit-search-cancel-button]:hidden"
      />
      {typed && (
        <button
          type="button"
          aria-label={adminCopy.clearSearch}
          onClick={() => {
            setTyped('')
            field.current?.focus()
          }}
          className="absolute top-1/2 right-1.5 grid size-8 -translate-y-1/2 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink"
        >
          <X aria-hidden className="size-4.5" />
        </button>
      )}
    </div>
  )
}
