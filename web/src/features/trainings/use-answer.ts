/** Answering a training; the lists and the page are read again, the seats come live. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemberId } from '@/api/session/auth-context'
import { trainingKeys } from '@/api/trainings/keys'
import { logError } from '@/lib/browser/log'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { answerTraining } from './api/mutations'
import { copy } from './copy'

export function useAnswer(trainingId: string) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (answer: 'going' | 'interested' | null) => answerTraining(memberId, trainingId, answer),
    onError: (cause) => {
      logError('The answer was not saved', cause)
      const { failed } = copy.answers
      showToast({ ...failed, description: rejectionMessage(cause, failed.description) })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: trainingKeys.all }),
  })
}
