/** What a failed attempt to send something means. Pure. */
import { RequestError } from '@/lib/supabase/errors'
import type { Refusal } from './entry'

/** unanswered: the network is gone, for everything. busy: it failed this time. refused: it always will. */
export type Verdict = 'unanswered' | 'busy' | 'refused'

/** What a handler throws where the answer is no: the message is for members. */
export class Refused extends Error {}

/** Request timeout, too early, too many requests; and unauthorized: a token is renewed before the next attempt. */
const passing = [401, 408, 425, 429]
/** Raised by our SQL: a member's own daily limit, not the server's load. */
const limitReached = 'PT429'
/** fetch, and import() of a script, in the words of Chromium, Firefox and Safari. */
const noAnswer = /failed to fetch|networkerror|load failed|dynamically imported|importing a module/i

export function verdictOf(cause: unknown): Verdict {
  if (cause instanceof Refused) return 'refused'
  if (cause instanceof RequestError) {
    const { status, code } = cause
    if (status === 0) return 'unanswered'
    return code !== limitReached && (status >= 500 || passing.includes(status)) ? 'busy' : 'refused'
  }
  if (cause instanceof DOMException) return ['AbortError', 'TimeoutError'].includes(cause.name) ? 'unanswered' : 'busy'
  return cause instanceof TypeError && noAnswer.test(cause.message) ? 'unanswered' : 'busy'
}

export const refusalOf = (cause: unknown): Refusal => ({
  code: cause instanceof RequestError ? cause.code : cause instanceof Refused ? refusedCode : '',
  message: cause instanceof Error ? cause.message : '',
})

/** As PostgREST answers what our SQL raises: its message is shown (lib/supabase/errors.ts). */
const refusedCode = 'PT409'
