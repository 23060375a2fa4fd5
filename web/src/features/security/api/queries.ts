/** The member's factors, recovery codes and sessions. */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'
import { securityKeys } from './keys'

export interface App {
  id: string
  name: string
  addedAt: string
}

export interface Passkey {
  id: string
  name: string
  addedAt: string
  usedAt: string | null
}

/** Both kinds, fresh from Auth: another device may have changed them. */
export const factorsQuery = queryOptions({
  queryKey: securityKeys.factors,
  refetchOnMount: 'always',
  queryFn: async () => {
    const [user, passkeys] = await Promise.all([supabase.auth.getUser(), supabase.auth.passkey.list()])
    if (user.error) throw user.error
    if (passkeys.error) throw passkeys.error
    const verified = (user.data.user.factors ?? []).filter(({ status }) => status === 'verified')
    return {
      apps: verified
        .filter(({ factor_type }) => factor_type === 'totp')
        .map(({ id, friendly_name, created_at }): App => ({ id, name: friendly_name ?? '', addedAt: created_at })),
      passkeys: passkeys.data.map(({ id, friendly_name, created_at, last_used_at }): Passkey => ({
        id,
        name: friendly_name ?? '',
        addedAt: created_at,
        usedAt: last_used_at ?? null,
      })),
    }
  },
})

/** How many are unused; null when none were made. */
export const codesLeftQuery = queryOptions({
  queryKey: securityKeys.codes,
  refetchOnMount: 'always',
  queryFn: async ({ signal }): Promise<number | null> => {
    const { data } = await supabase.rpc('recovery_codes_left').abortSignal(signal).throwOnError()
    return data
  },
})

export const sessionsQuery = queryOptions({
  queryKey: securityKeys.sessions,
  refetchOnMount: 'always',
  refetchInterval: 60_000,
  queryFn: async ({ signal }) => {
    const { data } = await supabase.rpc('my_sessions').abortSignal(signal).throwOnError()
    return data
  },
})
