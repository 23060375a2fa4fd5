/** Sharing an article: the device's share sheet where there is one, the clipboard otherwise (§7.55, §8.34, §8.46). */
import { paths } from '@/config/paths'
import { notify } from '@/lib/notify'
import { copy } from './copy'
import type { Article } from './model'

/** The page's own origin: it may be reached under more than one name. */
export const linkTo = (article: Article, origin: string) => `${origin}${paths.blogPost(article.slug || article.id)}`

const dismissed = (cause: unknown) => cause instanceof DOMException && cause.name === 'AbortError'

export async function shareArticle(article: Article): Promise<void> {
  const url = linkTo(article, window.location.origin)
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ title: article.title, text: copy.shareText(article.title), url })
      return
    } catch (cause) {
      if (dismissed(cause)) return // closed on purpose
    }
  }
  try {
    await navigator.clipboard.writeText(url)
    notify(copy.copied)
  } catch {
    notify(copy.copyError)
  }
}
