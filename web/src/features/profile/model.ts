/** Firefighter types, parsing of specialties, date formatting, and the line under a name. Pure. */
import { unitOf } from '@/api/people/model'
import { states } from '@/lib/format/states'

export const firefighterTypes = [
  'Career',
  'Volunteer',
  'Combination',
  'Wildland',
  'Industrial',
  'Military',
  'Retired',
] as const // §11.5

/** §3.2: any other value becomes null. */
export const firefighterType = (value: string | null | undefined) =>
  firefighterTypes.find((known) => known === value) ?? null

export const specialtiesOf = (typed: string) => [
  ...new Set(
    typed
      .split(/[,\n]/u)
      .map((one) => one.replace(/\s+/gu, ' ').trim())
      .filter(Boolean),
  ),
]

const month = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** A calendar date, the same in every time zone. */
export function formatDay(day: string | null): string {
  if (!day) return ''
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? 'Invalid date' : month.format(date)
}

interface Headline {
  rank: string | null
  position: string | null
  department: string | null
  state: string | null
}

/** Rank, position, department, state; a rank that the position already contains is not repeated. */
export function headlineOf(profile: Headline): string {
  const rank = profile.rank?.trim() ?? ''
  const named = (profile.position ?? '').toLowerCase().includes(rank.toLowerCase())
  const state = states[profile.state ?? ''] ?? ''
  return [named ? '' : rank, unitOf(profile), state].filter(Boolean).join(' · ')
}

const usualLifeMs = 2 * 365 * 86_400_000

/** Percent of the time between issue and expiry that is left; two years are assumed where the issue is not known. */
export function lifeLeft(issuedOn: string | null, expiresOn: string | null, today: Date): number {
  const end = Date.parse(expiresOn ?? '')
  if (Number.isNaN(end)) return 0
  const start = Date.parse(issuedOn ?? '')
  const life = Number.isNaN(start) || start >= end ? usualLifeMs : end - start
  return Math.round(Math.min(1, Math.max(0, (end - today.getTime()) / life)) * 100)
}
