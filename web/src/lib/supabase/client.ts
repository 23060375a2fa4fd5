/** The single backend client. Large: the landing page loads it after its first paint, through load-client.ts. */
import { createClient } from '@supabase/supabase-js'
import { readEnv } from '@/config/env'
import { limits } from '@/config/limits'
import type { Database } from './database.types'
import { sessionKey } from './session-storage'
import { supabaseLoaded } from './client-loaded'

const env = readEnv()

const reconnectAfterMs = (tries: number) => limits.realtimeReconnectMs[tries - 1] ?? 10_000

export const supabase = createClient<Database>(env.supabaseUrl, env.supabaseKey, {
  auth: {
    storageKey: sessionKey,
    persistSession: true,
    autoRefreshToken: true,
    flowType: 'pkce',
    detectSessionInUrl: false, // /auth/callback parses its own URL
  },
  // Retries are left to the query client (§9.32), timeouts to fetch (§9.35).
  db: { retry: false, timeout: limits.requestTimeoutMs },
  realtime: {
    params: { eventsPerSecond: limits.realtimeEventsPerSecond },
    heartbeatIntervalMs: limits.realtimeHeartbeatMs,
    timeout: limits.requestTimeoutMs,
    reconnectAfterMs,
  },
})

supabaseLoaded(supabase)
