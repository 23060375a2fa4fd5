/** Callbacks for when the client has loaded, without loading it: modules of the landing page must not import it. */
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from './database'

export type Supabase = SupabaseClient<Database>

const listeners = new Set<(supabase: Supabase) => void>()
let loaded: Supabase | null = null

/** Called by the client module once it is evaluated. */
export function supabaseLoaded(supabase: Supabase): void {
  loaded = supabase
  listeners.forEach((listener) => listener(supabase))
}

/** Runs `listener` once the client has loaded, without loading it. */
export function whenSupabaseLoads(listener: (supabase: Supabase) => void): () => void {
  if (loaded) listener(loaded)
  else listeners.add(listener)
  return () => listeners.delete(listener)
}
