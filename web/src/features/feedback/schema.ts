/** What the feedback form accepts (§3.38). */
import * as z from 'zod/mini'
import { categories } from './api/send'
import { copy } from './copy'

const maxLength = 5_000

export const feedbackSchema = z.object({
  category: z.enum(categories),
  content: z.string().check(
    z.refine((text) => Array.from(text).length <= maxLength, copy.tooLong),
    z.trim(),
    z.minLength(1, copy.missing),
  ),
})
