/** The account: password, e-mail address, sessions. */
import { paths } from '@/config/paths'
import { supabase } from '@/lib/supabase/client'

export async function changePassword(password: string): Promise<void> {
  const { error } = await supabase.auth.updateUser({ password })
  if (error) throw error
}

/** Both addresses have to confirm, by the links or the codes of their mails; nothing changes before. */
export async function changeEmail(email: string): Promise<void> {
  const back = `${window.location.origin}${paths.authCallback}?next=${encodeURIComponent(paths.settings)}`
  const { error } = await supabase.auth.updateUser({ email }, { emailRedirectTo: back })
  if (error) throw error
}

/** Tries the code as each address's; null: it is nobody's. `changed`: it was the last one. */
export async function confirmEmailChange(
  addresses: readonly string[],
  code: string,
): Promise<{ address: string; changed: boolean } | null> {
  for (const address of addresses) {
    const { data, error } = await supabase.auth.verifyOtp({ email: address, token: code, type: 'email_change' })
    if (!error) return { address, changed: data.session !== null }
    if (error.code !== 'otp_expired') throw error
  }
  return null
}

export async function signOutEverywhere(): Promise<void> {
  const { error } = await supabase.auth.signOut({ scope: 'global' })
  if (error) throw error
}

/** The password that was to prove who deletes the account. */
export class WrongPassword extends Error {}

/** Requires recent authentication: the database demands a sign-in within the last ten minutes. */
export async function deleteAccount(proof: { email: string; password: string } | null): Promise<void> {
  if (proof) {
    const { error } = await supabase.auth.signInWithPassword(proof)
    if (error) throw error.code === 'invalid_credentials' ? new WrongPassword(error.message) : error
  }
  await supabase.rpc('delete_own_account').throwOnError()
}
