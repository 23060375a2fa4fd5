/** The client on demand, for what is on the landing page: its 55 kB must not stand before the first paint. */
import type { Supabase } from '@/lib/supabase'

const listeners = new Set<(supabase: Supabase) => void>()
let loaded: Supabase | null = null

export async function loadSupabase(): Promise<Supabase> {
  const { supabase } = await import('@/lib/supabase')
  return supabase
}

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
