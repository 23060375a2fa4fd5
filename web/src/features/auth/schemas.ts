/** The schemas of the authentication forms: validation, and the values they submit. */
import * as z from 'zod/mini'
import { atLeast, sixDigits } from '@/lib/forms/fields'
import { copy } from './copy'
import { looksLikeEmail, minPasswordLength, passwordStrength } from './model'

const email = z.string().check(z.trim(), z.refine(looksLikeEmail, copy.invalid.email))

const isStrong = (password: string, personal: readonly string[]) => passwordStrength(password, personal) >= 2

const longEnough = atLeast(minPasswordLength, copy.invalid.tooShort)

export const loginSchema = z.object({
  email,
  password: z.string().check(z.minLength(1, copy.invalid.password)),
})

export const codeSchema = z.object({ code: sixDigits(copy.invalid.code) })

export const recoverySchema = z.object({ email })

/** Invitations are stored in lower case. */
export const invitationSchema = z.object({ email: email.check(z.toLowerCase()) })

export const registerSchema = z
  .object({
    name: z.string().check(z.trim(), z.minLength(1, copy.invalid.name)),
    email,
    password: z.string().check(longEnough),
  })
  .check(
    z.refine(({ name, email: address, password }) => isStrong(password, [name, address]), {
      path: ['password'],
      error: copy.invalid.weak,
    }),
  )

/** `personal`: name and address, which make a password easy to guess. */
export const newPasswordSchema = (personal: readonly string[]) =>
  z.object({
    password: z.string().check(
      longEnough,
      z.refine((password) => isStrong(password, personal), copy.invalid.weak),
    ),
  })
