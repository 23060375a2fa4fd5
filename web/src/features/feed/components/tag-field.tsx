/** Up to five tags: written, or taken from those in use. Arrows choose, Enter adds, Backspace removes the last (§11.4). */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { X } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Input } from '@/components/ui/field'
import { useDebouncedValue } from '@/lib/browser/use-debounced-value'
import { tagsInUseQuery } from '../api/queries'
import { copy } from '../copy'
import { longestTag, mostTags, tagOf, withTag } from '../tags'

const strings = copy.tags

interface Props {
  tags: readonly string[]
  onTags: (tags: string[]) => void
}

export function TagField({ tags, onTags }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const prefix = useDebouncedValue(tagOf(typed), 150)
  const isFull = tags.length >= mostTags
  const offers = useQuery({ ...tagsInUseQuery(prefix), enabled: isOpen, placeholderData: keepPreviousData }).data ?? []
  const offered = offers.filter(({ tag }) => tag.startsWith(tagOf(typed)) && !tags.includes(tag)).slice(0, 6)
  const open = isOpen && !isFull && offered.length > 0
  const current = Math.min(chosen, offered.length - 1)

  const add = (tag: string) => {
    onTags(withTag(tags, tag))
    setTyped('')
    setChosen(-1)
  }
  const remove = (tag: string) => {
    onTags(tags.filter((one) => one !== tag))
    input.current?.focus()
  }
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step && open) setChosen(((current + step + 1 + offered.length + 1) % (offered.length + 1)) - 1)
    else if (event.key === 'Enter') add(offered[open ? current : -1]?.tag ?? typed)
    else if (event.key === ',' && tagOf(typed)) add(typed)
    else if (event.key === 'Backspace' && typed === '' && tags.length > 0) onTags(tags.slice(0, -1))
    else if (event.key === 'Escape' && open) setOpen(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <label htmlFor={id} className="text-small font-semibold">
        {strings.label}
      </label>
      {tags.length > 0 && (
        <ul aria-label={strings.chosen} className="flex flex-wrap gap-2">
          {tags.map((tag) => (
            <li key={tag} className="max-w-full">
              <button
                type="button"
                aria-label={strings.remove(tag)}
                onClick={() => remove(tag)}
                className="flex min-h-8 max-w-full items-center gap-1.5 rounded-control border border-ember bg-ember-soft px-2.5 text-small font-semibold text-ember-text"
              >
                <span className="truncate">#{tag}</span>
                <X aria-hidden className="size-4 shrink-0" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="relative">
        <Input
          ref={input}
          id={id}
          role="combobox"
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={open && current >= 0 ? `${id}-${current}` : undefined}
          aria-describedby={`${id}-hint`}
          autoComplete="off"
          autoCapitalize="none"
          enterKeyHint="enter"
          maxLength={longestTag}
          readOnly={isFull}
          value={typed}
          onFocus={() => setOpen(true)}
          onBlur={() => {
            setOpen(false)
            if (tagOf(typed)) add(typed) // what stands in the field is meant
          }}
          onChange={(event) => {
            setTyped(event.target.value)
            setOpen(true)
            setChosen(-1)
          }}
          onKeyDown={keys}
        />
        <ul
          id={`${id}-list`}
          role="listbox"
          aria-label={strings.offered}
          className={clsx(
            'absolute inset-x-0 top-full z-30 mt-1 max-h-72 overflow-y-auto rounded-dialog border border-line bg-raised p-1.5 shadow-pop',
            !open && 'hidden',
          )}
        >
          {(open ? offered : []).map(({ tag, uses }, index) => (
            <li
              key={tag}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === current}
              onPointerDown={(event) => event.preventDefault()} // keeps the focus in the field
              onPointerUp={() => add(tag)}
              className={clsx(
                'flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-control px-3 text-ui md:min-h-9',
                index === current && 'bg-sunken outline-2 -outline-offset-2 outline-focus',
              )}
            >
              <span className="truncate">#{tag}</span>
              <span className="text-small text-muted tabular-nums">{uses.toLocaleString('en-US')}</span>
            </li>
          ))}
        </ul>
      </div>
      <p id={`${id}-hint`} role="status" className="text-small text-muted">
        {isFull ? strings.full : strings.hint}
      </p>
    </div>
  )
}
