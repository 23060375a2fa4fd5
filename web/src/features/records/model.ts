/** Records, their codes and files, and what a check says. Pure. */
import * as z from 'zod/mini'

export const parts = ['certifications', 'trainings', 'career', 'numbers'] as const
export type Part = (typeof parts)[number]

/** The code as it is written; null when it can't be one. I and L are read as 1, O as 0, as the database does. */
export function codeOf(typed: string): string | null {
  const letters = typed
    .toUpperCase()
    .replace(/[IL]/g, '1')
    .replace(/O/g, '0')
    .replace(/[\s\-–—_.]/g, '')
  return /^[0-9A-Z]{16}$/.test(letters) ? (letters.match(/.{4}/g) ?? []).join('-') : null
}

/** The downloaded file (docs/records.md): the record as it was issued, and how to check it. */
export const fileOf = (code: string, digest: string, document: unknown, url: string): string =>
  `${JSON.stringify({ record: document, check: { code, url, digest, algorithm: 'SHA-256 of RFC 8785' } }, null, 2)}\n`

/** The record of a file; undefined when it is none. */
export function recordInFile(text: string): unknown {
  try {
    const file: unknown = JSON.parse(text)
    return typeof file === 'object' && file !== null && 'record' in file ? file.record : undefined
  } catch {
    return undefined
  }
}

const text = z.nullable(z.string())
const certification = z.object({
  name: z.string(),
  issuer: text,
  number: text,
  issued_on: text,
  expires_on: text,
  standing: z.enum(['current', 'expired', 'no_expiration']),
  days_left: z.nullable(z.number()),
  since: z.enum(['same', 'changed', 'removed']),
})

/** The answer of `verify_record`. */
export const checkSchema = z.object({
  state: z.enum(['unknown', 'revoked', 'issued']),
  checked_at: z.string(),
  issued_at: text,
  revoked_at: text,
  is_intact: z.nullable(z.boolean()),
  is_same: z.nullable(z.boolean()),
  member: z.nullable(
    z.object({
      name: text,
      rank: text,
      position: text,
      department: text,
      state: text,
      years_of_service: z.nullable(z.number()),
    }),
  ),
  certifications: z.nullable(z.array(certification)),
  milestones: z.nullable(
    z.array(z.object({ title: z.string(), organization: text, started_on: z.string(), is_current: z.boolean() })),
  ),
  awards: z.nullable(z.array(z.object({ title: z.string(), awarded_by: text, awarded_on: text }))),
  trainings: z.nullable(z.array(z.object({ title: z.string(), place: z.string(), started_on: z.string() }))),
})
export type Check = z.infer<typeof checkSchema>
export type CheckedCertification = z.infer<typeof certification>

/** How many certifications have a date, and how many of them are current. */
export function datesOf(certifications: readonly CheckedCertification[]): { dated: number; current: number } {
  const dated = certifications.filter(({ standing }) => standing !== 'no_expiration')
  return { dated: dated.length, current: dated.filter(({ standing }) => standing === 'current').length }
}

/** Rank and position; the position alone when it names the rank: "Captain, Engine 7". */
export function roleOf({ rank, position }: { rank: string | null; position: string | null }): string {
  const names = position?.toLowerCase().includes(rank?.toLowerCase() ?? '') ?? false
  return [names ? null : rank, position].filter(Boolean).join(', ')
}

/** A day without a time, as a moment of the reader's: dates of documents don't shift with time zones. */
export const dayOf = (isoDate: string) => `${isoDate}T12:00:00`
