/** The session reducer: authentication events in, what the application shows out (§3.15, §4.1). Pure. */
import type { AuthChangeEvent, Session } from '@supabase/supabase-js'
import type { AuthStatus } from './auth-context'

export interface SessionState {
  status: AuthStatus
  session: Session | null
  recovering: boolean
  leaving: boolean
  failure: Error | null
}

export type SessionEvent =
  | { kind: 'event'; event: AuthChangeEvent; session: Session | null }
  | { kind: 'leaving' }
  | { kind: 'failed'; error: Error }

export const startingState = (stored: boolean): SessionState => ({
  status: stored ? 'unknown' : 'signed-out',
  session: null,
  recovering: false,
  leaving: false,
  failure: null,
})

export function stepSession(before: SessionState, step: SessionEvent): SessionState {
  if (step.kind === 'leaving') return { ...before, leaving: true }
  if (step.kind === 'failed') return { ...before, failure: step.error }
  const { event, session } = step
  const state = { ...before, failure: null } // a late answer is one, too
  const status = session ? 'signed-in' : 'signed-out'
  switch (event) {
    case 'SIGNED_OUT':
      return { ...state, status: 'signed-out', session: null, recovering: false }
    case 'PASSWORD_RECOVERY':
      return { ...state, status, session, recovering: true, leaving: false }
    case 'USER_UPDATED':
      return { ...state, status, session, recovering: false }
    case 'SIGNED_IN':
      return { ...state, status, session, leaving: false }
    default: // INITIAL_SESSION, TOKEN_REFRESHED, MFA_CHALLENGE_VERIFIED
      return { ...state, status, session }
  }
}
