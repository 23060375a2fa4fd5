/** Who waits for the client hears when it stands, without loading it: the client is heavy, what waits is not. */
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from './database.types'

export type Supabase = SupabaseClient<Database>

const listeners = new Set<(supabase: Supabase) => void>()
let loaded: Supabase | null = null

/** The client tells when it stands, whoever asked for it. */
export function supabaseLoaded(supabase: Supabase): void {
  loaded = supabase
  listeners.forEach((listener) => listener(supabase))
}

/** Runs `listener` once the client stands, without asking for it. */
export function whenSupabaseLoads(listener: (supabase: Supabase) => void): () => void {
  if (loaded) listener(loaded)
  else listeners.add(listener)
  return () => listeners.delete(listener)
}
