/** How much of a profile is filled in. Pure. */

export const profileParts = [
  'full_name',
  'position',
  'department',
  'bio',
  'years_of_service',
  'firefighter_type',
  'specialties',
  'avatar_url',
] as const
export type ProfilePart = (typeof profileParts)[number]

/** The parts of a profile that are still empty, in the order of the prompts. */
export function missingParts(profile: {
  full_name: string | null
  avatar_url: string | null
  position: string | null
  department: string | null
  bio: string | null
  years_of_service: number | null
  firefighter_type: string | null
  specialties: readonly string[]
}): ProfilePart[] {
  const parts: [ProfilePart, boolean][] = [
    ['full_name', Boolean(profile.full_name?.trim())],
    ['position', Boolean(profile.position)],
    ['department', Boolean(profile.department)],
    ['bio', Boolean(profile.bio)],
    ['years_of_service', profile.years_of_service !== null],
    ['firefighter_type', Boolean(profile.firefighter_type)],
    ['specialties', profile.specialties.length > 0],
    ['avatar_url', Boolean(profile.avatar_url)],
  ]
  return parts.filter(([, filled]) => !filled).map(([name]) => name)
}
