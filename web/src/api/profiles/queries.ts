/** The member's own profile, and whether they are an admin (§6.4-5, §7.3, §8.14-15). */
import { queryOptions } from '@tanstack/react-query'
import { sharedKeys } from '@/api/keys'
import { logError } from '@/lib/browser/log'
import { supabase } from '@/lib/supabase/client'

/** §8.14: a failed fetch is logged and the profile counts as null. */
export const profileQuery = (memberId: string) =>
  queryOptions({
    queryKey: sharedKeys.profile(memberId),
    queryFn: async ({ signal }) => {
      const { data, error } = await supabase
        .from('profiles')
        .select('*')
        .eq('id', memberId)
        .abortSignal(signal)
        .maybeSingle()
      if (error) logError('The profile could not be loaded', error.message)
      return data
    },
  })

/**
 * Whether the member may use the application: nobody sees any profile, not even their own, once suspended. For a profile
 * that came back as null, which may have failed instead.
 */
export const suspendedQuery = (memberId: string) =>
  queryOptions({
    queryKey: [...sharedKeys.profile(memberId), 'suspended'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const own = supabase.from('profiles').select('id').eq('id', memberId)
      const { data } = await own.abortSignal(signal).throwOnError()
      return data.length === 0
    },
  })

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
