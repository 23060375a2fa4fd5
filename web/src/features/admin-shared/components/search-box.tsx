/** A debounced search field. */
import clsx from 'clsx'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Input } from '@/components/ui/field'

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
  const [sent, setSent] = useState(value)
  if (value !== sent) {
    // Changed from outside: browser history, or the button that clears the filters.
    setSent(value)
    setTyped(value)
  }
  const search = useEffectEvent((text: string) => {
    if (text === value) return
    setSent(text)
    onSearch(text)
  })
  useEffect(() => {
    const timer = window.setTimeout(() => search(typed.trim()), 300)
    return () => window.clearTimeout(timer)
  }, [typed])
  return (
    <div role="search" className={clsx('relative min-w-0 grow', !wide && 'sm:max-w-96')}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-muted"
      />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={100}
        onChange={(event) => setTyped(event.target.value)}
        className="pl-10"
      />
    </div>
  )
}
