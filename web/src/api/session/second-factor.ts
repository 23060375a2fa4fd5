/** Whether a session still has to give its second factor (§15.2). Pure; the database decides (private.caller_is_active). */
import type { Factor, Session } from '@supabase/supabase-js'
import { isSecondLevel, proofsOf } from '@/lib/supabase/claims'

export const verifiedFactors = (session: Session): Factor[] =>
  (session.user.factors ?? []).filter(({ status }) => status === 'verified')

/** A sign-in by passkey is two factors: the device, and what unlocks it. */
export const needsSecondFactor = (session: Session): boolean =>
  verifiedFactors(session).length > 0 &&
  !isSecondLevel(session.access_token) &&
  !proofsOf(session.access_token).some(({ method }) => method === 'passkey')
