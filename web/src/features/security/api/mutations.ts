/** Adding, naming, removing and giving factors; recovery codes; ending sessions. */
import { supabase } from '@/lib/supabase/client'

/** Thrown when somebody closed the browser's own dialog: nothing to report. */
export class Canceled extends Error {}

const canceled = ['ERROR_CEREMONY_ABORTED', 'NotAllowedError', 'AbortError']

function failure(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error
  const names = ['code' in error ? error.code : '', 'name' in error ? error.name : '']
  if ('cause' in error && error.cause instanceof Error) names.push(error.cause.name)
  return names.some((name) => typeof name === 'string' && canceled.includes(name)) ? new Canceled() : error
}

export interface Enrollment {
  id: string
  qrCode: string
  secret: string
}

/** Starts to add an app: it counts once a code of it was verified. */
export async function enrollApp(name: string): Promise<Enrollment> {
  const { data, error } = await supabase.auth.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: 'Muster' })
  if (error) throw error
  return { id: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret }
}

export async function verifyApp(factorId: string, code: string): Promise<void> {
  const { error } = await supabase.auth.mfa.challengeAndVerify({ factorId, code })
  if (error) throw error
}

/** A code of any of these apps; throws the last one's error. */
export async function verifyAnyApp(factorIds: readonly string[], code: string): Promise<void> {
  let last: unknown = new Error()
  for (const factorId of factorIds) {
    const { error } = await supabase.auth.mfa.challengeAndVerify({ factorId, code })
    if (!error) return
    last = error
  }
  throw last
}

/** Removes a factor; a new token says what the session is worth without it. */
export async function removeFactor(factorId: string): Promise<void> {
  const { error } = await supabase.auth.mfa.unenroll({ factorId })
  if (error) throw error
  await supabase.auth.refreshSession()
}

/** Makes a passkey on this device or key; its id is that of the second factor, too (private.use_passkey_as_factor). */
export async function createPasskey(): Promise<string> {
  const { data, error } = await supabase.auth.registerPasskey()
  if (error) throw failure(error)
  return data.id
}

export async function givePasskey(factorId: string): Promise<void> {
  const { error } = await supabase.auth.mfa.webauthn.authenticate({ factorId })
  if (error) throw failure(error)
}

export async function renamePasskey(passkeyId: string, friendlyName: string): Promise<void> {
  const { error } = await supabase.auth.passkey.update({ passkeyId, friendlyName })
  if (error) throw error
}

export async function removePasskey(passkeyId: string): Promise<void> {
  const { error } = await supabase.auth.passkey.delete({ passkeyId })
  if (error) throw error
  await supabase.auth.refreshSession()
}

export async function makeRecoveryCodes(): Promise<string[]> {
  const { data } = await supabase.rpc('make_recovery_codes').throwOnError()
  return data
}

export interface RecoveryAnswer {
  accepted: boolean
  tryAgainAt: string | null
}

/** The session is raised in the database; the token that says so is fetched here. */
export async function giveRecoveryCode(code: string): Promise<RecoveryAnswer> {
  const { data } = await supabase.rpc('use_recovery_code', { code }).throwOnError()
  const answer = data[0]
  if (answer?.accepted) {
    const { error } = await supabase.auth.refreshSession()
    if (error) throw error
  }
  return { accepted: answer?.accepted ?? false, tryAgainAt: answer?.try_again_at ?? null }
}

export async function endSession(session: string): Promise<void> {
  await supabase.rpc('end_session', { session }).throwOnError()
}

export async function endOtherSessions(): Promise<void> {
  const { error } = await supabase.auth.signOut({ scope: 'others' })
  if (error) throw error
}
