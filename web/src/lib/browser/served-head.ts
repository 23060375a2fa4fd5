/** Head tags of the served document, until React renders those of the page (components/document-head.tsx). */

/** The tags between the two markers of index.html: the landing page's, or an article's from the functions service. */
function servedTags(): HTMLElement[] {
  const tags: HTMLElement[] = []
  let inside = false
  for (const node of document.head.childNodes) {
    if (node instanceof Comment) inside = node.data.trim() === 'head' || (inside && node.data.trim() !== '/head')
    else if (inside && node instanceof HTMLElement) tags.push(node)
  }
  return tags
}

/**
 * For a page that is rendered, not hydrated: React adds its own tags, so the served ones have to be removed with the first
 * of those. Tags that the service marked with a page stay as long as that page is shown.
 */
export function disownServedHead(): void {
  for (const tag of servedTags()) tag.dataset.served ??= ''
}

/** Removes tags marked with a page other than the current one, or with none. */
export function dropServedHead(): void {
  for (const tag of document.head.querySelectorAll<HTMLElement>('[data-served]')) {
    if (tag.dataset.served !== window.location.pathname) tag.remove()
  }
}
