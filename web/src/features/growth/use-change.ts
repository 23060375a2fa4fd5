/** A change of the member's own plan, which is read again afterwards. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { growthKeys } from '@/api/growth/keys'
import { useMemberId } from '@/api/session/auth-context'
import { logError } from '@/lib/browser/log'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { copy } from './copy'

export function useChange<Argument>(change: (argument: Argument) => Promise<void>, onDone?: () => void) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      onDone?.()
      return queryClient.invalidateQueries({ queryKey: growthKeys.plan(memberId) })
    },
    onError: (cause) => {
      logError('The plan was not changed', cause)
      showToast({ ...copy.notSaved, description: rejectionMessage(cause, copy.notSaved.description) })
    },
  })
}
