/** The waitlist status of an address (§2.6, §4.26-28). */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'
import { type InvitationStatus, statusOf } from '../invitation'

export const invitationQuery = (email: string) =>
  queryOptions({
    queryKey: ['auth', 'invitation', email] as const,
    enabled: email !== '',
    staleTime: 0,
    queryFn: async ({ signal }): Promise<InvitationStatus> => {
      const { data } = await supabase.rpc('invitation_status', { address: email }).abortSignal(signal).throwOnError()
      return statusOf(data)
    },
  })

/** Asks the admins for a new invitation after the old one expired. */
export async function requestInvitation(email: string): Promise<void> {
  await supabase.rpc('request_invitation', { address: email }).throwOnError()
}
