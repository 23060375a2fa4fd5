/** What the organizer may do: edit; cancel, or delete as long as nobody has answered. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ban, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { trainingKeys } from '@/api/trainings/keys'
import type { Training } from '@/api/trainings/model'
import { Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { cancelTraining, deleteTraining } from '../api/mutations'
import { copy } from '../copy'
import { TrainingDialog } from './training-dialog'

const strings = copy.organize

export function OrganizerActions({ training }: { training: Training }) {
  const [editing, setEditing] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isUnanswered = training.going_count + training.waiting_count + training.interested_count === 0
  const end = useMutation({
    mutationFn: () => (isUnanswered ? deleteTraining(training.id) : cancelTraining(training.id)),
    onSuccess: async () => {
      showToast(isUnanswered ? strings.removed : strings.canceled)
      if (isUnanswered) await navigate(paths.trainings, { replace: true })
    },
    onError: (cause) => {
      logError('The training was not ended', cause)
      showToast({ ...strings.failed, description: rejectionMessage(cause, strings.failed.description) })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: trainingKeys.all }),
  })
  return (
    <div className="flex flex-wrap gap-2">
      <TrainingDialog
        training={training}
        open={editing}
        onOpenChange={setEditing}
        trigger={
          <Button>
            <Pencil aria-hidden /> {strings.edit}
          </Button>
        }
      />
      <Confirm
        title={isUnanswered ? strings.removeTitle : strings.cancelTitle}
        description={isUnanswered ? strings.removeText : strings.cancelText}
        action={isUnanswered ? strings.remove : strings.cancel}
        safe={strings.keep}
        onConfirm={() => end.mutate()}
      >
        <Button variant="danger-line" aria-disabled={end.isPending}>
          {isUnanswered ? <Trash2 aria-hidden /> : <Ban aria-hidden />} {isUnanswered ? strings.remove : strings.cancel}
        </Button>
      </Confirm>
    </div>
  )
}
