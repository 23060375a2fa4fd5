/** The schemas of the authentication forms: validation, and the values they submit. */
import * as z from 'zod/mini'
import { copy } from './copy'
import { looksLikeEmail, passwordStrength } from './model'

const email = z.string().check(z.trim(), z.refine(looksLikeEmail, copy.invalid.email))

/** 2 of 4 is the minimum. */
const isStrong = (password: string, personal: readonly string[]) => passwordStrength(password, personal) >= 2

export const loginSchema = z.object({
  email,
  password: z.string().check(z.minLength(1, copy.invalid.password)),
})

/** Six digits; the spaces or the hyphen that somebody types or pastes with them are left out. */
export const codeSchema = z.object({
  code: z.string().check(
    z.overwrite((typed) => typed.replace(/[\s-]/g, '')),
    z.regex(/^\d{6}$/, copy.invalid.code),
  ),
})

export const recoverySchema = z.object({ email })

/** Invitations are stored in lower case. */
export const invitationSchema = z.object({ email: email.check(z.toLowerCase()) })

export const registerSchema = z
  .object({
    name: z.string().check(z.trim(), z.minLength(1, copy.invalid.name)),
    email,
    password: z.string(),
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
    password: z.string().check(z.refine((password) => isStrong(password, personal), copy.invalid.weak)),
  })
