/** The filters of the directory, as the address carries them. Pure. */
import { states } from '@/lib/format/states'

export const facets = ['state', 'type', 'rank', 'department', 'specialty', 'certification', 'mentor'] as const
export type Facet = (typeof facets)[number]
export type Filters = Partial<Record<Facet, string>>

const longestValue = 200

/** Filters of an address; what is empty or overlong is left out. */
export function filtersOf(params: URLSearchParams): Filters {
  return Object.fromEntries(
    facets
      .map((facet) => [facet, params.get(facet)?.trim() ?? ''] as const)
      .filter(([, value]) => value !== '' && value.length <= longestValue),
  )
}

/** The same address with one filter changed; null removes it. */
export function withFilter(params: URLSearchParams, facet: Facet, value: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  if (value === null) next.delete(facet)
  else next.set(facet, value)
  return next
}

export function withoutFilters(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const facet of facets) next.delete(facet)
  return next
}

/** The database compares values without capitals and spaces. */
export const isSame = (one: string | undefined, other: string) =>
  one !== undefined && one.replace(/\s+/gu, ' ').trim().toLowerCase() === other.toLowerCase()

export interface Value {
  value: string
  label: string
  members: number
}

export interface Counts {
  total: number
  values: ReadonlyMap<Facet, readonly Value[]>
}

const isFacet = (name: string): name is Facet => facets.some((facet) => facet === name)

/** Rows of the counts by facet, those with most members first. */
export function countsOf(rows: readonly (Value & { facet: string })[]): Counts {
  const values = new Map<Facet, Value[]>()
  let total = 0
  for (const { facet, value, label, members } of rows) {
    if (facet === 'everyone') total = members
    else if (isFacet(facet)) values.set(facet, [...(values.get(facet) ?? []), { value, label, members }])
  }
  return { total, values }
}

/** What a filter is called: as a member writes it, else as it stands in the address. */
export const labelOf = (counts: Counts | undefined, facet: Facet, value: string): string =>
  counts?.values.get(facet)?.find((one) => isSame(value, one.value))?.label ??
  (facet === 'state' ? (states[value.toUpperCase()] ?? value) : value)
