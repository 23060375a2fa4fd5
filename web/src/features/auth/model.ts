/** Messages for auth errors, and password strength. Pure. */
import { copy } from './copy'

export interface AuthFailure {
  code?: string | undefined
  status?: number | undefined
  name?: string
  message: string
}

/** GoTrue's error codes with our messages. An unknown code keeps the server's message. */
export function explain(failure: AuthFailure): string {
  const { errors } = copy
  switch (failure.code) {
    case 'invalid_credentials':
    case 'user_not_found':
      return errors.credentials
    case 'email_not_confirmed':
      return errors.unconfirmed
    case 'user_already_exists':
    case 'email_exists':
      return errors.exists
    case 'weak_password':
      return errors.weak
    case 'same_password':
      return errors.same
    case 'over_request_rate_limit':
    case 'over_email_send_rate_limit':
      return errors.rate
    case 'signup_disabled':
    case 'email_provider_disabled':
      return errors.closed
    case 'user_banned':
      return errors.banned
  }
  if (failure.status === 429) return errors.rate
  if (failure.name === 'AuthRetryableFetchError' || failure.status === 0) return errors.network
  return failure.message.trim() || errors.unknown
}

export const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text.trim())

export const minPasswordLength = 8

const obvious = [
  'password',
  'firefighter',
  'fire',
  'muster',
  'qwerty',
  'letmein',
  'welcome',
  'admin',
  'abc123',
  'iloveyou',
  '123456',
]

/** 0 (too short) to 4 (strong): length, then variety; lowered by repetition, sequences, common words, the user's name. */
export function passwordStrength(password: string, personal: readonly string[] = []): 0 | 1 | 2 | 3 | 4 {
  const characters = Array.from(password)
  if (characters.length < minPasswordLength) return 0
  const lower = password.toLowerCase()
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password)).length
  const words = [...obvious, ...personal.flatMap((one) => one.toLowerCase().split(/[\s@._-]+/))].filter(
    (word) => word.length > 3,
  )
  const guessable = words.filter((word) => lower.includes(word)).reduce((sum, word) => sum + word.length, 0)
  const distinct = new Set(lower).size
  const steps = characters.filter(
    (c, i) => i > 0 && Math.abs((c.codePointAt(0) ?? 0) - (characters[i - 1]?.codePointAt(0) ?? 0)) <= 1,
  )
  const worth = Math.min(characters.length - guessable - steps.length * 0.7, distinct * 1.4) + (kinds - 1) * 2
  if (worth < 8) return 1
  if (worth < 12) return 2
  return worth < 17 ? 3 : 4
}
