/** Schemas of fields shared by several forms. */
import * as z from 'zod/mini'

/** Optional text: trimmed, and null when empty. */
export const optionalText = z.pipe(
  z.string(),
  z.transform((typed) => typed.trim() || null),
)

/** Length in code points, not in UTF-16 units. */
export const atMost = (characters: number, message: string) =>
  z.refine<string>((text) => Array.from(text).length <= characters, message)

export const atLeast = (characters: number, message: string) =>
  z.refine<string>((text) => Array.from(text).length >= characters, message)

/** A code of six digits; the spaces or the hyphen that somebody types or pastes with them are left out. */
export const sixDigits = (message: string) =>
  z.string().check(
    z.overwrite((typed) => typed.replace(/[\s-]/g, '')),
    z.regex(/^\d{6}$/, message),
  )
