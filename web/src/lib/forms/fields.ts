/** Fields that several forms have. */
import * as z from 'zod/mini'

/** A text that may be left empty: trimmed, and null when nothing is left. */
export const optionalText = z.pipe(
  z.string(),
  z.transform((typed) => typed.trim() || null),
)

/** Counted as people count, not in UTF-16 units. */
export const atMost = (characters: number, message: string) =>
  z.refine<string>((text) => Array.from(text).length <= characters, message)

export const atLeast = (characters: number, message: string) =>
  z.refine<string>((text) => Array.from(text).length >= characters, message)
