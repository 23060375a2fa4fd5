/** Clients of the stack named by the environment, created as in the application. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../../web/src/lib/supabase/database.types'

export type Client = SupabaseClient<Database>

function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run these tests through pytest (tests/supabase_js)`)
  return value
}

export const url = required('API_URL')
export const publishableKey = required('PUBLISHABLE_KEY')
export const secretKey = required('SECRET_KEY')
export const password = required('DEMO_PASSWORD')
export const memberEmail = required('DEMO_MEMBER_EMAIL')
export const adminEmail = required('DEMO_ADMIN_EMAIL')
export const mailbox = `${url}/mail/api/messages`

export function client(key = publishableKey): Client {
  return createClient<Database>(url, key, { auth: { persistSession: false, autoRefreshToken: false } })
}

/** A client signed in as a demo account, with the account's id. */
export async function signedIn(email = memberEmail): Promise<{ client: Client; id: string }> {
  const made = client()
  const { data, error } = await made.auth.signInWithPassword({ email, password })
  if (error) throw error
  return { client: made, id: data.user.id }
}

/** A new account with a confirmed address, made by the admin API. */
export async function newMember(name: string): Promise<{ client: Client; id: string; email: string }> {
  const email = `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${crypto.randomUUID().slice(0, 8)}@example.org`
  const admin = client(secretKey)
  const { data, error } = await admin.auth.admin.createUser({
    email,
    password,
    email_confirm: true,
    user_metadata: { full_name: name },
  })
  if (error) throw error
  return { ...(await signedIn(email)), id: data.user.id, email }
}

/** Resolves with the value of `read` once there is one; the test's own timeout ends the wait. */
export async function eventually<T>(
  read: () => Promise<T | null | undefined | false> | T | null | undefined | false,
): Promise<T> {
  for (;;) {
    const value = await read()
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
