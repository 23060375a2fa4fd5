/** The retry policy of the subscription to connections. Pure. */
import { backoffMs, limits } from '@/config/limits'
import type { RetryPolicy } from '@/lib/supabase/keep-subscribed'

/** §4.41: 3 retries per channel, 1 s doubled up to 30 s, 15 reconnects in all. */
export const connectionsPolicy: RetryPolicy = {
  delayMs: (attempt, reconnects) =>
    attempt >= limits.connectionRetries || reconnects >= limits.connectionReconnects ? null : backoffMs(attempt),
}
