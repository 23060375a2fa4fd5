/** Validation of the profile form (§3.2), and its conversion to an update of the row. */
import * as z from 'zod/mini'
import { atMost, optionalText } from '@/lib/forms/fields'
import { copy } from './copy'
import { firefighterType, specialtiesOf } from './model'

const { errors } = copy.form
const maxYears = 80
const maxBioLength = 2_000
const maxSpecialties = 30
const maxSpecialtyLength = 50

const isYears = (typed: string) => typed === '' || (/^\d{1,2}$/.test(typed) && Number(typed) <= maxYears)
const areFewAndShort = (specialties: string[]) =>
  specialties.length <= maxSpecialties && specialties.every((one) => Array.from(one).length <= maxSpecialtyLength)

export const profileSchema = z.object({
  full_name: z.string().check(z.trim(), z.minLength(1, errors.name)),
  position: optionalText,
  rank: optionalText,
  department: optionalText,
  firefighter_type: z.pipe(
    z.string(),
    z.transform((typed) => firefighterType(typed)),
  ),
  state: optionalText,
  years_of_service: z.pipe(
    z.string().check(z.trim(), z.refine(isYears, errors.years)),
    z.transform((typed) => (typed ? Number(typed) : null)),
  ),
  bio: z.pipe(z.string().check(atMost(maxBioLength, errors.bio)), optionalText),
  specialties: z.pipe(z.string(), z.transform(specialtiesOf)).check(z.refine(areFewAndShort, errors.specialties)),
  avatar_url: z.nullable(z.string()),
  cover_url: z.nullable(z.string()),
})

export type ProfileFields = z.input<typeof profileSchema>
