/** Loads the client on demand, for the landing page: its 55 kB (gzip) must not delay the first paint. */
import type { Supabase } from './client-loaded'

export async function loadSupabase(): Promise<Supabase> {
  const { supabase } = await import('./client')
  return supabase
}
