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
