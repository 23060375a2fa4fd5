/** A member as lists show them: name, tag, unit. Pure. */

export interface Person {
  id: string
  full_name: string | null
  avatar_url: string | null
  position: string | null
  department: string | null
}

export const personColumns = 'id, full_name, avatar_url, position, department'

/** Used for names that privacy hides or that were never filled in. */
export const nameOf = (person: { full_name: string | null } | null | undefined, fallback = 'User') =>
  person?.full_name?.trim() || fallback

export const unitOf = (person: { position: string | null; department: string | null } | null | undefined) =>
  [person?.position, person?.department]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' · ')

/** What a member has in common with the reader; null: nothing to say. `brief`: beside a name in a narrow column. */
export function reasonFor(
  { department }: { department: string | null },
  shared: number,
  ownDepartment: string | null | undefined,
  brief = false,
): string | null {
  if (shared > 0) return `${shared} ${brief ? '' : shared === 1 ? 'connection ' : 'connections '}in common`
  const fold = (written: string | null | undefined) => written?.trim().toLowerCase()
  return fold(department) && fold(department) === fold(ownDepartment) ? 'Same department' : null
}

/** §5.14: the search term, trimmed. */
export const searchTerm = (typed: string) => typed.replace(/\s+/gu, ' ').trim()

/** §5.18: any word of two or more characters in the name, or the whole term in the e-mail. */
export function matchesTerm(person: { full_name: string | null; email?: string | null }, term: string): boolean {
  const query = searchTerm(term).toLowerCase()
  const name = (person.full_name ?? '').toLowerCase()
  const words = query.split(' ').filter((word) => Array.from(word).length >= 2)
  return words.some((word) => name.includes(word)) || (person.email ?? '').toLowerCase().includes(query)
}
