/** Holds the session: starts the client, subscribes to its events, signs out. */
import { type ReactNode, useCallback, useEffect, useMemo, useReducer } from 'react'
import { AuthErrorScreen } from '@/components/auth-error-screen'
import { readEnv } from '@/config/env'
import { limits } from '@/config/limits'
import { loadSupabase } from '@/lib/supabase/load-client'
import { whenSupabaseLoads } from '@/lib/supabase/client-loaded'
import { logError } from '@/lib/browser/log'
import { memberChanged } from '@/lib/supabase/member-change'
import { carryToasts, showToast } from '@/lib/toasts/toast'
import { forgetDevice, forgetDrafts, forgetReads } from '@/lib/device/forget'
import {
  clearCookies,
  clearSessionEntries,
  hasStoredSession,
  sessionKey,
  storedSession,
} from '@/lib/supabase/session-storage'
import { AuthContext, type AuthState } from './auth-context'
import { startingState, stepSession } from './session-state'
import { signOut } from './sign-out'

interface Props {
  children: ReactNode
  /** Replaces the history entry with /login (§4.13); the app owns the router. */
  goToLogin: () => void
}

export function AuthProvider({ children, goToLogin }: Props) {
  const [state, step] = useReducer(stepSession, undefined, () => startingState(hasStoredSession()))
  const { session } = state
  const memberId = session?.user.id

  // Without a stored session no client is needed until a page uses it or another tab signs in.
  useEffect(() => {
    let unsubscribe = () => {}
    const load = () =>
      loadSupabase().catch((cause: unknown) => {
        logError('The sign-in service could not start', cause) // §8.16
        step({ kind: 'failed', error: cause instanceof Error ? cause : new Error(String(cause)) })
      })
    const cancel = whenSupabaseLoads((supabase) => {
      const { data } = supabase.auth.onAuthStateChange((event, next) => {
        // None, though it is still stored: its token ran out, and no answer came to renew it.
        const session = event === 'INITIAL_SESSION' ? (next ?? storedSession()) : next
        if (event === 'SIGNED_OUT') forgetReads()
        step({ kind: 'event', event, session })
      })
      unsubscribe = () => data.subscription.unsubscribe()
    })
    const watch = (event: StorageEvent) => {
      if (event.key === sessionKey && event.newValue) void load()
    }
    window.addEventListener('storage', watch)
    if (hasStoredSession()) void load()
    // The client would try to renew its token for half a minute first.
    if (!navigator.onLine) step({ kind: 'event', event: 'INITIAL_SESSION', session: storedSession() })
    return () => {
      window.removeEventListener('storage', watch)
      cancel()
      unsubscribe()
    }
  }, [])

  // §8.2: a stored session that is not renewed in time must not leave a spinner for ever.
  const waiting = state.status === 'unknown'
  useEffect(() => {
    if (!waiting) return
    const giveUp = () => step({ kind: 'failed', error: new Error('Sign-in isn’t answering. Check your connection.') })
    const timer = window.setTimeout(giveUp, limits.requestTimeoutMs)
    return () => window.clearTimeout(timer)
  }, [waiting])

  useEffect(() => (memberId ? memberChanged : undefined), [memberId])

  const accessToken = session?.access_token
  const leave = useCallback(async () => {
    step({ kind: 'leaving' })
    await signOut({
      clearTraces: () => {
        clearSessionEntries(localStorage)
        clearSessionEntries(sessionStorage)
        clearCookies()
        forgetDrafts(localStorage)
        forgetDrafts(sessionStorage)
        void forgetDevice()
      },
      signOutOnServer: async () => {
        const supabase = await loadSupabase()
        // The stored session is already gone, so the token is passed; the second call signs out this page and its tabs.
        const answer = accessToken ? await supabase.auth.admin.signOut(accessToken, 'local') : { error: null }
        await supabase.removeAllChannels()
        const { error } = await supabase.auth.signOut({ scope: 'local' })
        const failure = answer.error ?? error
        if (failure) throw failure
      },
      showToast,
      goToLogin,
      host: window.location.hostname,
      productHost: new URL(readEnv().siteUrl).hostname,
      reloadAfter: (ms) =>
        window.setTimeout(() => {
          carryToasts()
          window.location.reload()
        }, ms),
    })
  }, [accessToken, goToLogin])

  const value = useMemo<AuthState>(
    () => ({
      status: state.status,
      session,
      user: session?.user ?? null,
      recovering: state.recovering,
      leaving: state.leaving,
      signOut: leave,
    }),
    [state.status, state.recovering, state.leaving, session, leave],
  )

  if (state.failure) return <AuthErrorScreen message={state.failure.message} />
  return <AuthContext value={value}>{children}</AuthContext>
}
