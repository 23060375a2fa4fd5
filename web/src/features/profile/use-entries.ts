/** Saving and deleting an entry; refetches the profile and the counts based on it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { certificationKeys } from '@/api/profiles/certifications'
import { useMemberId } from '@/api/session/auth-context'
import { logError } from '@/lib/browser/log'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { deleteEntry, saveEntry } from './api/mutations'
import { profileKeys } from './api/queries'
import { copy } from './copy'
import type { ListName } from './entries'

export function useEntries(list: ListName) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: profileKeys.page(memberId) }),
      queryClient.invalidateQueries({ queryKey: certificationKeys.own(memberId) }),
    ])
  const failed = (cause: unknown) => {
    logError('The profile could not be changed', cause)
    showToast({ ...copy.failed, description: rejectionMessage(cause, copy.failed.description) })
  }
  const save = useMutation({
    mutationFn: ({ id, row }: { id: string | null; row: Record<string, string | boolean | null> }) =>
      saveEntry(list, id, row),
    onSuccess: () => {
      showToast(copy.saved)
      return refresh()
    },
    onError: failed,
  })
  const remove = useMutation({
    mutationFn: (id: string) => deleteEntry(list, id),
    onSuccess: () => {
      showToast(copy.removed)
      return refresh()
    },
    onError: failed,
  })
  return { save, remove }
}
