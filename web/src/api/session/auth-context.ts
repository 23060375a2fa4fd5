/** The current session, shared with the whole application. */
import type { Session, User } from '@supabase/supabase-js'
import { createContext, useContext } from 'react'

/** 'unknown' only while a stored session is being read. */
export type AuthStatus = 'unknown' | 'signed-out' | 'signed-in'

export interface AuthState {
  status: AuthStatus
  session: Session | null
  user: User | null
  /** A recovery link was followed: a new password is expected (§4.1). */
  recovering: boolean
  /** The member signed out deliberately: the page they left is not remembered for the next sign-in. */
  leaving: boolean
  signOut: () => Promise<void>
}

export const AuthContext = createContext<AuthState | null>(null)

export function useAuth(): AuthState {
  const auth = useContext(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider') // §8.5
  return auth
}

/** The signed-in member's id, for components that only render behind the guard. */
export function useMemberId(): string {
  const { user } = useAuth()
  if (!user) throw new Error('useMemberId must be used behind the sign-in guard')
  return user.id
}
