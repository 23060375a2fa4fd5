/** How long subscriptions are tried again. Pure. */
import { backoffMs, limits } from '@/config/limits'
import type { RetryPolicy } from '@/lib/supabase/keep-subscribed'

/** 3 retries in a row, 1 s doubled up to 30 s. */
export const retrying: RetryPolicy = {
  delayMs: (attempt) => (attempt >= limits.connectionRetries ? null : backoffMs(attempt)),
}

/** §4.41: the same, and 15 reconnects in all. */
export const bounded: RetryPolicy = {
  delayMs: (attempt, reconnects) =>
    reconnects >= limits.connectionReconnects ? null : retrying.delayMs(attempt, reconnects),
}
