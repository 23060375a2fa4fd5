/** Where an address stands on the waitlist, asked by naming it (§2.6, §4.26-28). */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase'
import { type Standing, standingOf } from '../invitation'

export const invitationQuery = (email: string) =>
  queryOptions({
    queryKey: ['auth', 'invitation', email] as const,
    enabled: email !== '',
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Standing> => {
      const { data } = await supabase
        .from('waitlist')
        .select('id, status')
        .eq('email', email)
        .setHeader('x-waitlist-email', email)
        .abortSignal(signal)
        .throwOnError()
      return standingOf(data[0]?.status)
    },
  })
