/** The single backend client. Large: the landing page loads it after its first paint, through load-client.ts. */
import { createClient } from '@supabase/supabase-js'
import { readEnv } from '@/config/env'
import { limits } from '@/config/limits'
import type { Database } from './database'
import { sessionKey } from './session-storage'
import { supabaseLoaded } from './client-loaded'

const env = readEnv()

const reconnectAfterMs = (tries: number) => limits.realtimeReconnectMs[tries - 1] ?? 10_000

/** A page that asks for a mail may be left at once: calls of functions outlive it (with bodies of up to 64 KiB). */
const fetchKept: typeof fetch = (input, init) => {
  const url = input instanceof Request ? input.url : String(input)
  return fetch(input, url.includes('/functions/v1/') ? { ...init, keepalive: true } : init)
}

export const supabase = createClient<Database>(env.supabaseUrl, env.supabaseKey, {
  auth: {
    storageKey: sessionKey,
    persistSession: true,
    autoRefreshToken: true,
    flowType: 'pkce',
    detectSessionInUrl: false, // /auth/callback parses its own URL
  },
  global: { fetch: fetchKept },
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
