/** The schemas of the settings forms: validation, and the values they submit. */
import * as z from 'zod/mini'
import { atLeast, optionalText, sixDigits } from '@/lib/forms/fields'
import { copy } from './copy'

export const basicSchema = z.object({
  full_name: z.string().check(z.trim(), z.minLength(1, copy.basic.nameMissing)),
  department: optionalText,
})

const minPasswordLength = 8

export const passwordSchema = z.object({
  password: z.string().check(atLeast(minPasswordLength, copy.password.tooShort)),
})

export const emailSchema = z.object({
  email: z.string().check(z.trim(), z.regex(/^[^\s@]+@[^\s@]+$/, copy.email.invalid)),
})

export const emailCodeSchema = z.object({ code: sixDigits(copy.email.codes.missing) })

/** No password is required from a member who just signed in by another method. */
export const deletionSchema = (asksPassword: boolean) =>
  z.object({ password: z.string().check(z.minLength(asksPassword ? 1 : 0, copy.deletion.passwordMissing)) })
