/** The member's own profile, and whether they are an admin (§6.4-5, §7.3, §8.14-15). */
import { queryOptions } from '@tanstack/react-query'
import { sharedKeys } from '@/api/keys'
import { logError } from '@/lib/browser/log'
import { supabase } from '@/lib/supabase/client'

/** §8.14: a failed fetch is logged and the profile counts as null, where none was read before. */
export const profileQuery = (memberId: string) =>
  queryOptions({
    queryKey: sharedKeys.profile(memberId),
    queryFn: async ({ signal, client }) => {
      const { data, error } = await supabase
        .from('profiles')
        .select('*')
        .eq('id', memberId)
        .abortSignal(signal)
        .maybeSingle()
      if (!error) return data
      logError('The profile could not be loaded', error.message)
      return client.getQueryData<typeof data>(sharedKeys.profile(memberId)) ?? null // the one read before, offline
    },
  })

/**
 * What keeps the member out: nobody sees any profile, not even their own, once suspended, signed out elsewhere, or with a
 * second factor still to be given. For a profile that came back as null, which may have failed instead.
 */
export const standingQuery = (memberId: string) =>
  queryOptions({
    queryKey: [...sharedKeys.profile(memberId), 'standing'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('sign_in_state').abortSignal(signal).throwOnError()
      return data
    },
  })

/** A new token, with what Auth knows now; signs out when the session was ended. */
export async function renewSession(): Promise<void> {
  const { error } = await supabase.auth.refreshSession()
  if (error) logError('The session could not be renewed', error.message)
}

/**
 * §6.4-5: any falsy answer means no. An error is logged (§8.15) and rethrown, so that the query is retried once; callers
 * treat a final error as no.
 */
export async function fetchIsAdmin(memberId: string, signal: AbortSignal): Promise<boolean> {
  const { data, error } = await supabase.rpc('is_admin', { uid: memberId }).abortSignal(signal)
  if (error) {
    logError('The admin check failed', error.message)
    throw new Error(error.message)
  }
  return Boolean(data)
}

/** Never cached, retried once. */
export const isAdminQuery = (memberId: string | undefined) =>
  queryOptions({
    queryKey: sharedKeys.isAdmin(memberId ?? ''),
    enabled: Boolean(memberId),
    staleTime: 0,
    retry: 1,
    queryFn: ({ signal }) => fetchIsAdmin(memberId ?? '', signal),
  })
