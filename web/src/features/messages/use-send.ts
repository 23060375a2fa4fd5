/** Writing into the outbox: shown at once; a refusal comes back into an empty box (§5.19-22, §8.18, §17.2). */
import { useQueryClient } from '@tanstack/react-query'
import { messageKeys } from '@/api/messages/keys'
import { removeEntry, retryEntry, submit } from '@/lib/device/outbox/use-outbox'
import type { StoredFile } from '@/lib/files/model'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { copy } from './copy'
import { messageDraft } from './outbox'

/** `takeBack`: whether the text could be put into the box again. */
export function useSend(otherId: string, takeBack: (content: string) => boolean) {
  const queryClient = useQueryClient()
  /** `onKept`: from now on it survives a restart. */
  const send = async (content: string, file: StoredFile | null = null, onKept?: () => void) => {
    const draft = messageDraft({ otherId, content, file })
    const outcome = await submit(draft, 'list', onKept)
    if (outcome.state === 'sent') return
    void queryClient.invalidateQueries({ queryKey: messageKeys.recipient(otherId) }) // their setting may have changed
    if (outcome.state === 'refused') {
      if (!file && takeBack(content)) removeEntry(draft.id)
      showToast({ ...copy.sendError, description: rejectionMessage(outcome.refusal, copy.sendError.description) })
    } else if (outcome.tried) {
      showToast(copy.sendError)
    }
  }
  return { send, retry: retryEntry, discard: removeEntry }
}
