/** Sharing a post: the device's share sheet where there is one, the clipboard otherwise. */
import { paths } from '@/config/paths'
import { notify } from '@/lib/notify'
import { copy } from './copy'

export async function sharePost(postId: string, title: string): Promise<void> {
  const url = `${window.location.origin}${paths.post(postId)}`
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ title, text: copy.share.text, url })
      return
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'AbortError') return // closed on purpose
    }
  }
  try {
    await navigator.clipboard.writeText(url)
    notify(copy.share.copied)
  } catch {
    notify(copy.share.failed)
  }
}
