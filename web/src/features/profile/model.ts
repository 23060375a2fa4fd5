/** What a profile form may hold, how days are read, and the line under a name. Pure. */
import { unitOf } from '@/api/people/model'

export const firefighterTypes = ['Career', 'Volunteer', 'Combination', 'Wildland', 'Industrial'] as const // §3.2

/** §3.2: any other value becomes null. */
export const firefighterType = (value: string | null | undefined) =>
  firefighterTypes.find((known) => known === value) ?? null

export interface ProfileFields {
  full_name: string
  position: string
  rank: string
  department: string
  firefighter_type: string
  years_of_service: string
  bio: string
  specialties: string
}

export type FieldErrors = Partial<Record<keyof ProfileFields, string>>

export const specialtiesOf = (typed: string) => [
  ...new Set(
    typed
      .split(/[,\n]/u)
      .map((one) => one.replace(/\s+/gu, ' ').trim())
      .filter(Boolean),
  ),
]

const mostSpecialties = 30
const longestSpecialty = 50

/** Words for what is wrong; nothing when it can be saved. */
export function checkFields(
  fields: ProfileFields,
  words: Record<'name' | 'years' | 'specialties' | 'bio', string>,
): FieldErrors {
  const errors: FieldErrors = {}
  if (!fields.full_name.trim()) errors.full_name = words.name
  const years = fields.years_of_service.trim()
  if (years && !(/^\d{1,2}$/.test(years) && Number(years) <= 80)) errors.years_of_service = words.years
  const specialties = specialtiesOf(fields.specialties)
  if (specialties.length > mostSpecialties || specialties.some((one) => Array.from(one).length > longestSpecialty)) {
    errors.specialties = words.specialties
  }
  if (Array.from(fields.bio).length > 2000) errors.bio = words.bio
  return errors
}

export const toPatch = (fields: ProfileFields) => ({
  full_name: fields.full_name.trim(),
  position: fields.position.trim() || null,
  rank: fields.rank.trim() || null,
  department: fields.department.trim() || null,
  firefighter_type: firefighterType(fields.firefighter_type),
  years_of_service: fields.years_of_service.trim() ? Number(fields.years_of_service) : null,
  bio: fields.bio.trim() || null,
  specialties: specialtiesOf(fields.specialties),
})

const month = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** A calendar day, the same in every zone. */
export function formatDay(day: string | null): string {
  if (!day) return ''
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? 'Invalid date' : month.format(date)
}

interface Standing {
  rank: string | null
  position: string | null
  department: string | null
}

/** Rank, position, department; a rank that the position names already is not said twice. */
export function standingOf(profile: Standing): string {
  const rank = profile.rank?.trim() ?? ''
  const named = (profile.position ?? '').toLowerCase().includes(rank.toLowerCase())
  return [named ? '' : rank, unitOf(profile)].filter(Boolean).join(' · ')
}
