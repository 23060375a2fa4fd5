/** Maps database errors to what members see. Pure. */
import type { PostgrestSingleResponse } from '@supabase/supabase-js'
import { messageOf } from '@/lib/browser/log'

/** PT403, PT429: errors that our SQL raises, with a message for members. */
const writtenForMembers = /^PT\d{3}$/

/** The message, when our SQL wrote it for members; else the fallback, never the name of a constraint. */
export function rejectionMessage(cause: unknown, fallback: string): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && writtenForMembers.test(code) ? messageOf(cause, fallback) : fallback
}

/** The codes of PostgreSQL (SQLSTATE) and PostgREST: their messages name constraints, columns and tokens. */
const writtenForDevelopers = /^([0-9A-Z]{5}|PGRST\d{3})$/

/** What browsers say where nothing answered, and what supabase-js makes of it. */
const unanswered = /failed to (fetch|send a request)|networkerror|load failed|network request failed/i

/** A request without a response: fetch throws a TypeError, supabase-js returns its message and no status. */
export function isNetworkError(error: unknown): boolean {
  if (error instanceof TypeError) return true
  return unanswered.test(error instanceof Error ? error.message : '')
}

/** A service's own message, or the fallback for one of the database, or of the browser where nothing answered. */
export const serverMessage = ({ code, message }: { code: string; message: string }, fallback: string): string =>
  (writtenForDevelopers.test(code) && !writtenForMembers.test(code)) || message === '' || unanswered.test(message)
    ? fallback
    : message

/** The same for whatever was thrown. */
export function messageForPeople(cause: unknown, fallback: string): string {
  if (typeof cause !== 'object' || cause === null || isNetworkError(cause)) return fallback
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  return serverMessage({ code, message: messageOf(cause, '') }, fallback)
}

/** No row returned (PostgREST), foreign key violation, insufficient privilege (PostgreSQL). */
const goneCodes: readonly unknown[] = ['PGRST116', '23503', '42501']

/** The row to change no longer exists, or its parent is gone or hidden. */
export const isGone = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'code' in cause && goneCodes.includes(cause.code)

/** An answer that was not the wanted one, with its status; 0: there was none. */
export class RequestError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, { code, message }: { code?: string | null; message: string }) {
    super(message)
    this.status = status
    this.code = code ?? ''
  }
}

/** The rows of a response; throws RequestError where there are none. */
export function dataOf<Data>(response: PostgrestSingleResponse<Data>): Data {
  if (response.error) throw new RequestError(response.status, response.error)
  return response.data
}

/** A row with this key is there already. */
export const isDuplicate = (cause: unknown): boolean => cause instanceof RequestError && cause.code === '23505'
