/** A text area that completes @mentions: arrows move, Enter or Tab selects, Escape closes. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { type ComponentProps, type KeyboardEvent, useId, useRef, useState } from 'react'
import { matchesTerm, nameOf, unitOf } from '@/api/people/model'
import { peopleSearchQuery } from '@/api/people/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Textarea } from '@/components/ui/field'
import { PersonLine } from '@/components/ui/person-line'
import { useDebouncedValue } from '@/lib/browser/use-debounced-value'
import { copy } from '../copy'
import { mentionAt, type Named, opensUpward } from '../model'

const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })

interface Props extends Omit<ComponentProps<typeof Textarea>, 'ref' | 'value' | 'onChange'> {
  value: string
  onText: (text: string) => void
  onPick?: (person: Named) => void
  /** The text area, so that a form can focus it. */
  inputRef?: (element: HTMLTextAreaElement | null) => void
}

export function MentionBox({ value, onText, onPick, inputRef, onKeyDown, className, ...props }: Props) {
  const memberId = useMemberId()
  const listId = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const [chosen, setChosen] = useState(0)
  const [upward, setUpward] = useState(false)
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const typing = mentionAt(value, caret)
  const typed = typing?.term ?? ''
  const debounced = useDebouncedValue(typed, 150)
  const answer = useQuery({ ...peopleSearchQuery(memberId, debounced), placeholderData: keepPreviousData })
  // Until the current query has loaded, those previous results that still match.
  const found = (answer.data ?? []).filter(
    (person) => (debounced === typed && !answer.isPlaceholderData) || matchesTerm(person, typed),
  )
  const people = typing ? found.slice(0, 6) : []
  const open = typing !== null && typing.from !== closedAt && people.length > 0
  const current = Math.min(chosen, people.length - 1)

  const take = (index: number) => {
    const person = people[index]
    if (!person || !typing) return
    const name = nameOf(person)
    const next = `${value.slice(0, typing.from)}@${name} ${value.slice(caret)}`
    const place = typing.from + name.length + 2
    onText(next)
    onPick?.({ id: person.id, name })
    setCaret(place)
    setClosedAt(typing.from)
    window.requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(place, place)
    })
  }
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (open && !event.nativeEvent.isComposing) {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step) setChosen((current + step + people.length) % people.length)
      else if (event.key === 'Enter' || event.key === 'Tab') take(current)
      else if (event.key === 'Escape') setClosedAt(typing.from)
      else return onKeyDown?.(event)
      event.preventDefault()
      event.stopPropagation()
      return
    }
    onKeyDown?.(event)
  }
  return (
    <div className="relative">
      <Textarea
        ref={(element) => {
          box.current = element
          inputRef?.(element)
        }}
        value={value}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open ? `${listId}-${current}` : undefined}
        onChange={(event) => {
          onText(event.target.value)
          setCaret(event.target.selectionStart)
          setChosen(0)
          // The visual viewport ends above the keyboard of a phone.
          const room = window.visualViewport?.height ?? window.innerHeight
          setUpward(opensUpward(event.target.getBoundingClientRect(), room))
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onBlur={() => setClosedAt(typing?.from ?? null)}
        onFocus={() => setClosedAt(null)}
        onKeyDown={keys}
        className={clsx('field-sizing-content', className)}
        {...props}
      />
      <span role="status" className="sr-only">
        {open && copy.mention.found(people.length)}
      </span>
      <ul
        id={listId}
        role="listbox"
        aria-label={copy.mention.list}
        className={clsx(
          'absolute inset-x-0 z-30 max-h-72 overflow-y-auto rounded-dialog border border-line bg-raised p-1.5 shadow-pop',
          upward ? 'bottom-full mb-1' : 'top-full mt-1',
          !open && 'hidden',
        )}
      >
        {(open ? people : []).map((person, index) => (
          <li
            key={person.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === current}
            ref={index === current && open ? intoView : undefined}
            onPointerDown={(event) => event.preventDefault()} // keeps the focus in the text area
            onPointerUp={() => take(index)} // not on pointerdown, which may start a scroll
            className={clsx('cursor-pointer rounded-control px-2 py-1.5', index === current && 'bg-sunken')}
          >
            <PersonLine
              memberId={person.id}
              name={nameOf(person)}
              avatarUrl={person.avatar_url}
              unit={unitOf(person)}
              size="sm"
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
