/** Saves a post for later, or takes it from Saved (§11.4). Asks whether it is saved when the menu opens. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { MenuItem } from '@/components/ui/menu'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { feedKeys } from '../api/keys'
import { savePostForLater, unsavePost } from '../api/mutations'
import { isSavedQuery } from '../api/queries'
import { copy } from '../copy'

export function SaveItem({ postId }: { postId: string }) {
  const queryClient = useQueryClient()
  const isSaved = useQuery(isSavedQuery(postId)).data ?? false
  const change = useMutation({
    mutationFn: () => (isSaved ? unsavePost(postId) : savePostForLater(postId)),
    onSuccess: () => {
      showToast(isSaved ? copy.saved.removed : copy.saved.added)
      return queryClient.invalidateQueries({ queryKey: feedKeys.saved() })
    },
    onError: (cause) => {
      logError('Saved was not changed', cause)
      showToast(copy.saved.failed)
    },
  })
  return (
    <MenuItem onSelect={() => change.mutate()}>
      <Bookmark aria-hidden /> {isSaved ? copy.saved.remove : copy.saved.add}
    </MenuItem>
  )
}
