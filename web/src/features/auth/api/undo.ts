/** What the link of a security mail undoes, and undoing it (§15.4). */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'

export const undoQuery = (token: string) =>
  queryOptions({
    queryKey: ['auth', 'undo', token] as const,
    enabled: token !== '',
    staleTime: Infinity, // another look would find the used link, after undoing
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('security_event', { undo_token: token }).abortSignal(signal).throwOnError()
      return data
    },
  })

export type Undone = { email: string | null }

/** Null: the link was used, or ended, meanwhile. */
export async function undoSecurityEvent(token: string): Promise<Undone | null> {
  const { data } = await supabase.rpc('undo_security_event', { undo_token: token }).throwOnError()
  const undone = data[0]
  if (!undone) return null
  // Whoever is signed in here may just have been signed out: a refused refresh forgets the session.
  const { data: present } = await supabase.auth.getSession()
  if (present.session) await supabase.auth.refreshSession()
  return undone
}
