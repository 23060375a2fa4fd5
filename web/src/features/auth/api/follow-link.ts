/** Exchanges the parameters of a followed link for a session. */
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { supabase } from '@/lib/supabase/client'
import { type Callback, failureOf, type LinkFailure, staysWith } from '../callback'

/** `recovery`: whether the link was to choose a new password. */
export type Followed =
  | { kind: 'done'; next: string }
  | { kind: 'failed'; why: LinkFailure; recovery: boolean }
  /** Somebody is signed in, and the link is, or may be, another member's. */
  | { kind: 'asks'; email: string }

interface Failure {
  code?: string | undefined
  name: string
  message: string
}

function followed(error: Failure | null, next: string): Followed {
  if (!error) return { kind: 'done', next }
  logError(`The link was rejected with ${error.code ?? error.name}`, error.message)
  return { kind: 'failed', why: failureOf(error.code, error.name), recovery: next === paths.newPassword }
}

/** `agreed`: whoever is signed in wants to go on as the member of the link. Anybody can craft one to their own account. */
export async function followLink(callback: Callback, agreed = false): Promise<Followed> {
  const { auth } = supabase
  const { session } = (await auth.getSession()).data
  if (session && !agreed && !staysWith(callback, session.user.id, Date.now())) {
    return { kind: 'asks', email: session.user.email ?? '' }
  }
  switch (callback.kind) {
    case 'error':
      // Anybody can craft a link, so its message is logged, and our own message is shown.
      logError(`The link brought ${callback.code || 'an error'}`, callback.message)
      return { kind: 'failed', why: failureOf(callback.code), recovery: callback.next === paths.newPassword }
    case 'code':
      return followed((await auth.exchangeCodeForSession(callback.code)).error, callback.next)
    case 'token-hash': {
      const { error } = await auth.verifyOtp({ token_hash: callback.tokenHash, type: callback.type })
      return followed(error, callback.next)
    }
    case 'tokens': {
      const { error } = await auth.setSession({
        access_token: callback.accessToken,
        refresh_token: callback.refreshToken,
      })
      return followed(error, callback.next)
    }
    case 'nothing':
      return { kind: 'failed', why: 'missing', recovery: false }
    case 'first-of-two':
      return { kind: 'done', next: callback.next }
  }
}
