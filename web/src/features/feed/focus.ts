/** Moves the focus to a post, without scrolling, when the focused element was removed. */

export const cardId = (postId: string) => `post-${postId}`

/** After the list has rendered; unless the user has focused something else in the meantime. */
function focusAfterRender(find: () => HTMLElement | null): void {
  window.requestAnimationFrame(() =>
    window.requestAnimationFrame(() => {
      if (document.activeElement === document.body) find()?.focus({ preventScroll: true })
    }),
  )
}

/** The member's new post: focused, and marked for three seconds. */
export function showNewPost(postId: string): void {
  const article = () => document.getElementById(cardId(postId))
  focusAfterRender(article)
  window.requestAnimationFrame(() =>
    window.requestAnimationFrame(() => {
      const edge = 'inset 2px 0 0 var(--ember)'
      article()?.parentElement?.animate([{ boxShadow: edge }, { boxShadow: edge }], 3_000)
    }),
  )
}
export const focusFirstPost = () =>
  focusAfterRender(() => document.querySelector<HTMLElement>('[role=listitem] article'))

/** Moves the focus from a post that will be removed to its neighbor. */
export function leavePost(postId: string): void {
  const row = document.getElementById(cardId(postId))?.closest('[role=listitem]')?.parentElement
  const near = row?.nextElementSibling ?? row?.previousElementSibling
  near?.querySelector<HTMLElement>('article')?.focus()
}
