/** Calls to the auth service (§7.47). Each resolves with a message for the user, or null on success. */
import { readEnv } from '@/config/env'
import { paths } from '@/config/paths'
import { loadSupabase } from '@/lib/supabase/load-client'
import { logError } from '@/lib/browser/log'
import type { Supabase } from '@/lib/supabase/client-loaded'
import { copy } from '../copy'
import { type AuthFailure, explain } from '../model'

const callback = (next: string) => `${readEnv().siteUrl}${paths.authCallback}?next=${encodeURIComponent(next)}`

const messageFor = (error: AuthFailure | null) => (error ? explain(error) : null)

/** Messages of supabase-js when the server does not respond. */
const unreachable: AuthFailure = { name: 'AuthRetryableFetchError', message: '' }

/** Calls the auth service; its client is loaded on demand, which can fail like the call itself. */
async function callAuth<Answer extends { error: AuthFailure | null }>(
  question: (auth: Supabase['auth']) => Promise<Answer>,
): Promise<Answer | { error: AuthFailure }> {
  const supabase = await loadSupabase().catch((cause: unknown) => {
    logError('The client could not be loaded', cause)
    return null
  })
  return supabase ? question(supabase.auth) : { error: unreachable }
}

export async function signInWithPassword(email: string, password: string): Promise<string | null> {
  const { error } = await callAuth((auth) => auth.signInWithPassword({ email: email.trim(), password }))
  return messageFor(error)
}

/** Browsers' names for "the person closed the dialog", and for "not on this page". */
const dismissed = ['NotAllowedError', 'AbortError']
const misplaced = ['SecurityError']

const causeOf = (error: object): string =>
  'cause' in error && error.cause instanceof Error ? error.cause.name : 'name' in error ? String(error.name) : ''

/** Signs in with a passkey of this site, whosever it is; null also when the person closed the browser's dialog. */
export async function signInWithPasskey(): Promise<string | null> {
  const { error } = await callAuth((auth) => auth.signInWithPasskey())
  if (!error || dismissed.includes(causeOf(error))) return null
  if (misplaced.includes(causeOf(error))) return copy.login.passkeyMisplaced
  return error.code?.startsWith('webauthn') ? copy.login.passkeyUnknown : messageFor(error)
}

export async function sendSignInLink(email: string, next: string): Promise<string | null> {
  const { error } = await callAuth((auth) =>
    auth.signInWithOtp({
      email: email.trim(),
      options: { shouldCreateUser: false, emailRedirectTo: callback(next) },
    }),
  )
  // Success even for unknown addresses, so that nobody can find out which accounts exist.
  if (error?.code === 'otp_disabled' || error?.code === 'user_not_found' || error?.code === 'signup_disabled')
    return null
  return messageFor(error)
}

export type Registration = { kind: 'signed-in' } | { kind: 'confirm' } | { kind: 'failed'; message: string }

/** `invitation` is the token of an invitation's link: it proves the address, so the answer is a session and no mail. */
export async function register(
  name: string,
  email: string,
  password: string,
  next: string,
  invitation: string,
): Promise<Registration> {
  const proof = invitation === '' ? {} : { invitation_token: invitation }
  const answer = await callAuth((auth) =>
    auth.signUp({
      email: email.trim(),
      password,
      options: { data: { full_name: name.trim(), ...proof }, emailRedirectTo: callback(next) },
    }),
  )
  if (answer.error) return { kind: 'failed', message: explain(answer.error) }
  if (answer.data.session) return { kind: 'signed-in' }
  return { kind: 'confirm' }
}

export async function resendConfirmation(email: string, next: string): Promise<string | null> {
  const { error } = await callAuth((auth) =>
    auth.resend({ type: 'signup', email, options: { emailRedirectTo: callback(next) } }),
  )
  return messageFor(error)
}

/** What the e-mail with the code was sent for. */
export type CodeKind = 'signup' | 'magiclink' | 'recovery'

/** Begins a session with the code of an e-mail. A wrong code and an unknown address get the same answer. */
export async function enterCode(email: string, token: string, type: CodeKind): Promise<string | null> {
  const { error } = await callAuth((auth) => auth.verifyOtp({ email, token, type }))
  if (error?.code === 'otp_expired' || error?.code === 'user_not_found') return copy.code.wrong
  return messageFor(error)
}

export async function sendRecovery(email: string): Promise<string | null> {
  const { error } = await callAuth((auth) =>
    auth.resetPasswordForEmail(email.trim(), { redirectTo: callback(paths.newPassword) }),
  )
  return messageFor(error)
}

export async function saveNewPassword(password: string): Promise<string | null> {
  const { error } = await callAuth((auth) => auth.updateUser({ password }))
  return messageFor(error)
}
