/** Values derived for the dashboard: its period from the URL, running totals, the axis of a chart. Pure. */
const maxWeeks = 157 // three years: the maximum the database counts

/** The weeks the dashboard shows: a number of weeks up to now, or those of a range of days. */
export interface Period {
  /** How many weeks to request, ending with the current one. */
  weeks: number
  /** Monday of the first and of the last week shown, as ISO dates. */
  first: string
  last: string
}

const dayMs = 86_400_000
const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The Monday (UTC) of the week that contains a day. */
function mondayOf(day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`)
  return time - ((new Date(time).getUTCDay() + 6) % 7) * dayMs
}

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** From the URL: `from` and `to`, or `weeks`; invalid values are clamped to valid ones. */
export function parsePeriod(params: URLSearchParams, today: string): Period {
  const thisMonday = mondayOf(today)
  const earliest = thisMonday - (maxWeeks - 1) * 7 * dayMs
  const bent = (monday: number) => Math.min(Math.max(monday, earliest), thisMonday)
  const [from, to] = [params.get('from'), params.get('to')]
  if (!isDay(from)) {
    const weeks = [4, 12, 26, 52].find((known) => String(known) === params.get('weeks')) ?? 12
    return { weeks, first: isoDay(thisMonday - (weeks - 1) * 7 * dayMs), last: isoDay(thisMonday) }
  }
  const last = isDay(to) ? bent(mondayOf(to)) : thisMonday
  const first = Math.min(bent(mondayOf(from)), last)
  return { weeks: (thisMonday - first) / (7 * dayMs) + 1, first: isoDay(first), last: isoDay(last) }
}

/** What is wrong with the days in the URL, which the period had to bend: null when nothing is. */
export function faultOf(params: URLSearchParams, today: string): 'reversed' | 'future' | null {
  const [from, to] = [params.get('from'), params.get('to')]
  if (!isDay(from) || !isDay(to)) return null
  if (from > to) return 'reversed'
  return to > today ? 'future' : null
}

/** Running totals that end at the current total. */
export function runningTotals(perWeek: readonly number[], now: number): number[] {
  let after = now
  return [...perWeek]
    .reverse()
    .map((fresh) => {
      const total = after
      after -= fresh
      return Math.max(0, total)
    })
    .reverse()
}

/** The maximum of a chart's axis, in four equal steps of round numbers. */
export function niceTop(max: number): number {
  if (max <= 4) return 4
  const raw = max / 4
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
    .map((factor) => factor * power)
    .find((size) => size >= raw && Number.isInteger(size))
  return (step ?? Math.ceil(raw)) * 4
}

/** A share in whole percent; never 0% for what is there. */
export function percentOf(value: number, of: number): string {
  const share = of > 0 ? (100 * value) / of : 0
  return share > 0 && share < 1 ? 'under 1%' : `${Math.round(share)}%`
}

/** How long a run took: '40 ms', '3.2 s', '2 min'. */
export function durationOf(start: string, end: string): string {
  const ms = Math.max(0, Date.parse(end) - Date.parse(start))
  if (ms < 1000) return `${ms} ms`
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}

/** How the number of new ones compares with the week before. */
export function trendOf(now: number, before: number): 'up' | 'down' | 'same' {
  return now === before ? 'same' : now > before ? 'up' : 'down'
}

/** The ids of what is new in a later reading. */
export function arrivedSince<T extends { id: string }>(before: readonly T[], after: readonly T[]): string[] {
  const known = new Set(before.map(({ id }) => id))
  return after.filter(({ id }) => !known.has(id)).map(({ id }) => id)
}

/** 'career, Captain' with the type in words: 'Career, Captain'. */
export function factsOf(detail: string | null, types: Readonly<Record<string, string>>): string {
  const [first = '', ...rest] = (detail ?? '').split(', ')
  return [types[first] ?? first, ...rest].filter(Boolean).join(', ')
}
