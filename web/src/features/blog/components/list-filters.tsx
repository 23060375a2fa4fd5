/** The topics of the blog as links, and its search field; both are kept in the address. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { Input } from '@/components/ui/field'
import { paths } from '@/config/paths'
import { useDebouncedValue } from '@/lib/browser/use-debounced-value'
import { topicsQuery } from '../api/queries'
import { copy } from '../copy'

const typingMs = 250

function Topics({ topic, searched }: { topic: string | null; searched: boolean }) {
  const { data: topics } = useQuery(topicsQuery)
  const links = [[paths.blog, copy.everything, null] as const].concat(
    (topics ?? []).map((name) => [paths.blogTopic(name), name, name] as never),
  )
  return (
    <nav
      aria-label={copy.topics}
      className="-mx-(--gutter) min-h-11 overflow-x-auto px-(--gutter) py-1 md:mx-0 md:px-0"
    >
      <ul className="flex gap-2 md:flex-wrap">
        {links.map(([to, label, name]) => {
          const current = !searched && topic === name
          return (
            <li key={to} className="shrink-0">
              <Link
                to={to}
                replace
                preventScrollReset
                aria-current={current ? 'true' : undefined}
                className={clsx(
                  'flex h-9 items-center rounded-control border px-3 type-control text-small',
                  current
                    ? 'border-ember bg-ember-soft text-ember-text'
                    : 'border-line-strong bg-surface hover:bg-sunken',
                )}
              >
                {label}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

interface Props {
  topic: string | null
  term: string
  onSearch: (term: string) => void
}

export function ListFilters({ topic, term, onSearch }: Props) {
  const [text, setText] = useState(term)
  const [shown, setShown] = useState(term)
  if (shown !== term) {
    setShown(term)
    setText(term)
  }
  const typed = useDebouncedValue(text.trim(), typingMs)
  useEffect(() => {
    if (typed === text.trim() && typed !== term) onSearch(typed)
  }, [typed, text, term, onSearch])
  return (
    <div className="mb-5 flex flex-col-reverse gap-3 md:flex-row md:items-center md:justify-between">
      <Topics topic={topic} searched={term !== ''} />
      <form
        role="search"
        className="relative shrink-0 md:w-60"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(text.trim())
        }}
      >
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-muted"
        />
        <Input
          type="search"
          aria-label={copy.search}
          placeholder={copy.search}
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="pl-10"
        />
      </form>
    </div>
  )
}
