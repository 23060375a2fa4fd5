/** The filters of the directory: each value with the number of members that it leaves (§11.6). */
import clsx from 'clsx'
import { Check } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/field'
import { type Counts, type Facet, facets, type Filters, isSame, labelOf, type Value } from '../directory'
import { copy } from '../directory-copy'

const fewValues = 5

interface Props {
  filters: Filters
  counts: Counts | undefined
  onFilter: (facet: Facet, value: string | null) => void
}

/** The chosen value first, though nobody may have it, then those with most members. */
function valuesOf(counts: Counts | undefined, facet: Facet, chosen: string | undefined): Value[] {
  const values = counts?.values.get(facet) ?? []
  const current = values.find(({ value }) => isSame(chosen, value))
  const rest = values.filter((one) => one !== current)
  if (current) return [current, ...rest]
  return chosen === undefined ? rest : [{ value: chosen, label: labelOf(counts, facet, chosen), members: 0 }, ...rest]
}

function OtherValue({ facet, onValue }: { facet: Facet; onValue: (value: string) => void }) {
  const id = useId()
  const label = copy.other(copy.facets[facet])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const value = new FormData(event.currentTarget).get('value')
    if (typeof value === 'string' && value.trim()) onValue(value.trim())
    event.currentTarget.reset()
  }
  return (
    <form onSubmit={submit} className="mt-1 flex gap-2">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Input id={id} name="value" maxLength={160} placeholder={label} className="min-w-0 text-small md:h-9" />
      <Button type="submit" size="sm" aria-label={`${copy.apply}: ${label}`} className="shrink-0 max-md:h-11">
        {copy.apply}
      </Button>
    </form>
  )
}

function FacetValues({ facet, filters, counts, onFilter }: Props & { facet: Facet }) {
  const [isLong, setLong] = useState(false)
  const chosen = filters[facet]
  const values = valuesOf(counts, facet, chosen)
  const shown = isLong ? values : values.slice(0, fewValues)
  const name = copy.facets[facet]
  const isFree = facet !== 'state' && facet !== 'type'
  if (values.length === 0 && !isFree) return null
  return (
    <fieldset className="min-w-0 border-t border-line py-3 first-of-type:border-0 first-of-type:pt-0">
      <legend className="float-left mb-1 w-full pt-3 text-small font-semibold">{name}</legend>
      <ul className="clear-both">
        {shown.map(({ value, label, members }) => {
          const isChosen = isSame(chosen, value)
          return (
            <li key={value}>
              <label className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-control text-small hover:bg-bg md:min-h-8">
                <span className="relative grid size-5 shrink-0 place-items-center">
                  <input
                    type="checkbox"
                    checked={isChosen}
                    onChange={() => onFilter(facet, isChosen ? null : value)}
                    className="peer size-5 cursor-pointer appearance-none rounded-tag border border-line-strong bg-surface checked:border-ember checked:bg-ember"
                  />
                  <Check
                    aria-hidden
                    className="pointer-events-none absolute size-3.5 text-ember-on opacity-0 peer-checked:opacity-100"
                  />
                </span>
                <span className={clsx('min-w-0 grow [overflow-wrap:anywhere]', isChosen && 'font-semibold')}>
                  {label}
                </span>
                <span className="text-muted tabular-nums">{members.toLocaleString('en-US')}</span>
              </label>
            </li>
          )
        })}
      </ul>
      {values.length > fewValues && (
        <button
          type="button"
          aria-expanded={isLong}
          onClick={() => setLong((before) => !before)}
          className="min-h-6 text-small font-semibold text-ember-text hover:underline max-md:min-h-11"
        >
          {isLong ? copy.fewer : copy.more(values.length - fewValues)}
          <span className="sr-only">{copy.moreOf(name)}</span>
        </button>
      )}
      {isFree && <OtherValue facet={facet} onValue={(value) => onFilter(facet, value)} />}
    </fieldset>
  )
}

export function DirectoryFilters(props: Props) {
  return (
    <div className="grid grid-cols-1">
      {facets.map((facet) => (
        <FacetValues key={facet} facet={facet} {...props} />
      ))}
    </div>
  )
}
