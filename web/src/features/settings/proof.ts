/** Whether the session was recently authenticated without a password (by a link, a provider or a second factor). Pure. */
import { proofsOf } from '@/lib/supabase/claims'

/** Half of what the database allows (ten minutes): the user needs time to confirm. */
const freshForMs = 5 * 60_000

const weak = ['password', 'anonymous', 'token_refresh']

/** The password is required whenever the account has one. */
export const isRecentlyAuthenticated = (accessToken: string, nowMs: number): boolean =>
  proofsOf(accessToken).some(
    ({ method, timestamp }) => !weak.includes(method) && Math.abs(nowMs - timestamp * 1000) < freshForMs,
  )
