/** Updates the member's own profile row: optimistic, rolled back when rejected (§7.5-6). */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sharedKeys } from '@/api/keys'
import { useMemberId } from '@/api/session/auth-context'
import type { Database } from '@/lib/supabase/database.types'
import { logError } from '@/lib/browser/log'
import { supabase } from '@/lib/supabase/client'

type Profile = Database['public']['Tables']['profiles']['Row']
export type ProfilePatch = Partial<
  Pick<
    Profile,
    | 'full_name'
    | 'department'
    | 'position'
    | 'years_of_service'
    | 'bio'
    | 'avatar_url'
    | 'cover_url'
    | 'rank'
    | 'specialties'
    | 'firefighter_type'
    | 'time_zone'
    | 'privacy_settings'
    | 'notification_settings'
  >
>

export function useUpdateProfile() {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const key = sharedKeys.profile(memberId)
  return useMutation({
    scope: { id: 'own-profile' }, // sequential, so that the last change also wins on the server
    mutationFn: async (patch: ProfilePatch) => {
      const { data } = await supabase
        .from('profiles')
        .update(patch)
        .eq('id', memberId)
        .select('*')
        .maybeSingle()
        .throwOnError()
      if (!data) throw new Error('The profile was not found.')
      return data
    },
    onMutate: async (patch) => {
      await queryClient.cancelQueries({ queryKey: key })
      const before = queryClient.getQueryData<Profile | null>(key)
      queryClient.setQueryData<Profile | null>(key, (profile) => profile && { ...profile, ...patch })
      return { before }
    },
    onSuccess: (saved) => queryClient.setQueryData(key, saved),
    onError: (cause, _patch, kept) => {
      queryClient.setQueryData(key, kept?.before)
      logError('The profile could not be saved', cause)
    },
  })
}
