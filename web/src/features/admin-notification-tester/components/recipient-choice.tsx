/** The recipient of the test notification: the admin, or a member found by search. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { membersQuery } from '@/features/admin-shared/api/queries'
import { SearchBox } from '@/features/admin-shared/components/search-box'
import { copy } from '../copy'
import type { Recipient } from '../use-test'

const maxFound = 6

interface Props {
  recipient: Recipient
  /** null: the admin. */
  onChoose: (recipient: Recipient | null) => void
  isSelf: boolean
}

export function RecipientChoice({ recipient, onChoose, isSelf }: Props) {
  const [search, setSearch] = useState('')
  const view = { search, standing: 'all', kind: '', sort: 'name', descending: false, page: 1 }
  const found = useQuery({ ...membersQuery(view), enabled: search.length > 1 })
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-small font-semibold">{copy.to}</legend>
      <p className="[overflow-wrap:anywhere]">
        <b className="type-name">{recipient.name}</b> <span className="text-muted">{recipient.email}</span>
        {!isSelf && (
          <button type="button" className="ml-3 link-inline" onClick={() => onChoose(null)}>
            {copy.toSelf}
          </button>
        )}
      </p>
      <div className="grid gap-2">
        <SearchBox value={search} label={copy.search} onSearch={setSearch} wide />
        {search.length > 1 && found.data && (
          <ul className="flex flex-wrap gap-2">
            {found.data.slice(0, maxFound).map(({ id, full_name, email }) => (
              <li key={id}>
                <button
                  type="button"
                  aria-pressed={id === recipient.id}
                  className="max-w-72 truncate rounded-control border border-line-strong px-3 py-2 text-small hover:bg-sunken aria-pressed:border-ember aria-pressed:bg-ember-soft"
                  title={email}
                  onClick={() => onChoose({ id, email, name: full_name ?? email })}
                >
                  {full_name ?? email}
                </button>
              </li>
            ))}
            {found.data.length === 0 && <li className="text-small text-muted">{copy.nobody}</li>}
          </ul>
        )}
      </div>
    </fieldset>
  )
}
