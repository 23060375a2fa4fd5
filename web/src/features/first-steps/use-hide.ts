/** Puts the first steps away, or brings them back. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FirstSteps, firstStepsKey, hideFirstSteps } from '@/api/first-steps/queries'
import { useMemberId } from '@/api/session/auth-context'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { copy } from './copy'

export function useHide() {
  const key = firstStepsKey(useMemberId())
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: hideFirstSteps,
    onMutate: async (isHidden) => {
      await queryClient.cancelQueries({ queryKey: key })
      queryClient.setQueryData<FirstSteps>(key, (row) => row && { ...row, isHidden })
    },
    onError: (cause) => {
      logError('The first steps could not be hidden', cause)
      showToast(copy.failed)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  })
}
