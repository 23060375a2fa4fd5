/** A search field that speaks when typing pauses. */
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Input } from '@/components/ui/field'

export function SearchBox({
  value,
  label,
  onSearch,
}: {
  value: string
  label: string
  onSearch: (text: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const search = useEffectEvent((text: string) => {
    if (text !== value) onSearch(text)
  })
  useEffect(() => {
    const timer = window.setTimeout(() => search(typed.trim()), 300)
    return () => window.clearTimeout(timer)
  }, [typed])
  return (
    <div role="search" className="relative min-w-0 grow sm:max-w-96">
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
