/** Sharing a post. */
import { paths } from '@/config/paths'
import { showToast } from '@/lib/toasts/toast'
import { shareLink } from '@/lib/browser/share-link'
import { copy } from './copy'

export async function sharePost(postId: string, title: string): Promise<void> {
  const url = `${window.location.origin}${paths.post(postId)}`
  const shared = await shareLink({ title, text: copy.share.text, url })
  if (shared === 'copied') showToast(copy.share.copied)
  if (shared === 'failed') showToast(copy.share.failed)
}
