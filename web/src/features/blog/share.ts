/** Sharing an article (§7.55, §8.34, §8.46). */
import { paths } from '@/config/paths'
import { showToast } from '@/lib/toasts/toast'
import { shareLink } from '@/lib/browser/share-link'
import { copy } from './copy'
import type { Article } from './model'

/** The page's own origin: a stack may be served under more than one host name. */
const linkTo = (article: Article, origin: string) => `${origin}${paths.blogPost(article.slug || article.id)}`

export async function shareArticle(article: Article): Promise<void> {
  const url = linkTo(article, window.location.origin)
  const shared = await shareLink({ title: article.title, text: copy.shareText(article.title), url })
  if (shared === 'copied') showToast(copy.copied)
  if (shared === 'failed') showToast(copy.copyError)
}
