/** Joining the waitlist: look up the address, save survey and entry; each ending is an outcome (§4.26-30, §7.29-34). */
import { loadSupabase } from '@/lib/supabase/load-client'
import { logError, messageOf } from '@/lib/browser/log'
import { randomId } from '@/lib/browser/random-id'
import { serverMessage } from '@/lib/supabase/errors'
import { copy } from '../copy'
import { type Answers, normalizeEmail, outcomeOf, toQuizResponse } from '../model'

/** The dialog shows the status of an existing entry; the quiz page only that the address is known (§7.30, §7.31). */
export type Variant = 'dialog' | 'page'

export type Outcome =
  | { kind: 'joined'; surveySaved: boolean }
  | { kind: 'already-invited' | 'already-listed' | 'known' }
  | { kind: 'failed' }
  | { kind: 'waitlist-error' | 'database-error'; message: string }

/** State kept from a failed attempt, so that a retry writes nothing twice. */
export interface Attempt {
  surveyId: string
  surveySaved: boolean
  /** The entry was sent, but its response was lost: an entry found now is this one. */
  entrySent: boolean
}

export const newAttempt = (): Attempt => ({ surveyId: randomId(), surveySaved: false, entrySent: false })

const { toasts } = copy
const uniqueViolation = '23505'
const isLost = (status: number) => status === 0

export async function joinWaitlist(answers: Answers, variant: Variant, attempt: Attempt): Promise<Outcome> {
  const supabase = await loadSupabase().catch(() => null)
  if (!supabase) return { kind: 'failed' } // the connection failed before the client was loaded
  const email = normalizeEmail(answers.email)
  const joined = () => ({ kind: 'joined', surveySaved: attempt.surveySaved }) as const

  const lookup = supabase
    .from('waitlist')
    .select(variant === 'page' ? 'id' : 'id, status')
    .eq('email', email)
  const found = await (variant === 'page' ? lookup.limit(1) : lookup).setHeader('x-waitlist-email', email)
  if (found.error) {
    if (isLost(found.status)) return { kind: 'failed' }
    logError('The address could not be looked up', found.error.message)
    return { kind: 'database-error', message: serverMessage(found.error, toasts.databaseError.operation) }
  }
  const existing = found.data[0] as { id: string; status?: string } | undefined
  if (existing) {
    if (attempt.entrySent) return joined()
    return { kind: variant === 'page' ? 'known' : outcomeOf(existing.status ?? '') }
  }

  if (!attempt.surveySaved) {
    const row = { id: attempt.surveyId, ...toQuizResponse(answers) }
    const survey = await supabase.from('quiz_responses').insert(row)
    if (survey.error && isLost(survey.status)) return { kind: 'failed' }
    if (survey.error && survey.error.code !== uniqueViolation) {
      logError('The survey could not be saved', survey.error.message)
      if (variant === 'page') {
        return { kind: 'database-error', message: serverMessage(survey.error, toasts.databaseError.survey) }
      }
    } else {
      attempt.surveySaved = true
    }
  }

  attempt.entrySent = true
  const entry = await supabase
    .from('waitlist')
    .insert({ email, status: 'waitlist', quiz_response_id: attempt.surveySaved ? attempt.surveyId : null })
    .select('id, email, quiz_response_id')
    .setHeader('x-waitlist-email', email)
  if (!entry.error) {
    const id = entry.data[0]?.id
    if (id) void notifyAdmins({ id, email, department: answers.rank.trim() })
    return joined()
  }
  if (isLost(entry.status)) return { kind: 'failed' }
  attempt.entrySent = false
  if (entry.error.code === uniqueViolation) return { kind: variant === 'page' ? 'known' : 'already-listed' }
  logError('The entry could not be saved', entry.error.message)
  return { kind: 'waitlist-error', message: serverMessage(entry.error, toasts.waitlistError.fallback) }
}

/** §3.41, §7.45-46: one call; the service finds the admins; a failure is only logged. */
async function notifyAdmins(entry: { id: string; email: string; department: string }): Promise<void> {
  try {
    const supabase = await loadSupabase()
    const metadata = { ...entry, first_name: '', last_name: '', status: 'waitlist' }
    const answer = await supabase.functions.invoke<unknown>('send-notification-email', {
      body: {
        notification: {
          type: 'admin_waitlist',
          title: 'New waitlist entry',
          content: `${entry.email} joined the waitlist.`,
          metadata,
        },
      },
    })
    if (answer.error) throw answer.error
  } catch (cause) {
    logError('The notice to admins was not sent', messageOf(cause, ''))
  }
}
