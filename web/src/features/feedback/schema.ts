/** Validation of the feedback form (§3.38). */
import * as z from 'zod/mini'
import { atMost } from '@/lib/forms/fields'
import { categories } from './api/send'
import { copy } from './copy'

const maxLength = 5_000

export const feedbackSchema = z.object({
  category: z.enum(categories),
  content: z.string().check(atMost(maxLength, copy.tooLong), z.trim(), z.minLength(1, copy.missing)),
})
