/** The tags that the document itself came with, until React draws those of the page (components/document-head.tsx). */

/** What stands between the two marks of index.html: the landing page's, or an article's by the functions service. */
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
 * For a page that is drawn, not hydrated: React adds tags of its own, so the served ones have to go with the first of
 * those. Tags that the service marked with their page already say how long they are true.
 */
export function disownServedHead(): void {
  for (const tag of servedTags()) tag.dataset.served ??= ''
}

/** Takes away what is marked with another page than the one that is shown, or with none. */
export function dropServedHead(): void {
  for (const tag of document.head.querySelectorAll<HTMLElement>('[data-served]')) {
    if (tag.dataset.served !== window.location.pathname) tag.remove()
  }
}
