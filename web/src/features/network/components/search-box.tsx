/** The people search box; the term is kept in the URL (§2.36, §5.13-15). */
import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { searchTerm } from '@/api/people/model'
import { useAuth } from '@/api/session/auth-context'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/field'
import { limits } from '@/config/limits'
import { showToast } from '@/lib/toasts/toast'
import { copy } from '../copy'

/** Target of links in empty states. */
export const searchBoxId = 'people-search'

export function SearchBox() {
  const { user } = useAuth()
  const [params, setParams] = useSearchParams()
  const asked = params.get('q') ?? ''
  const [typed, setTyped] = useState(asked)
  const [shown, setShown] = useState(asked)
  if (asked !== shown) {
    setShown(asked)
    setTyped(asked)
  }
  const look = (term: string) =>
    setParams(
      (old) => {
        if (term) old.set('q', term)
        else old.delete('q')
        return old
      },
      { preventScrollReset: true },
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const term = searchTerm(typed)
    if (!user) return showToast(copy.search.signedOut) // §5.15
    if (Array.from(term).length < limits.searchMinLength) return showToast(copy.search.tooShort) // §5.14
    look(term)
  }
  return (
    <form role="search" onSubmit={submit} className="relative w-full md:w-88">
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-5 -translate-y-1/2 text-muted" />
      <Input
        type="search"
        id={searchBoxId}
        aria-label={copy.search.label}
        placeholder={copy.search.placeholder}
        className="pr-24 pl-10"
        maxLength={100}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          if (event.target.value === '') look('')
        }}
      />
      <Button type="submit" variant="quiet" size="sm" className="absolute top-1 right-1 md:top-1">
        {copy.search.submit}
      </Button>
    </form>
  )
}
