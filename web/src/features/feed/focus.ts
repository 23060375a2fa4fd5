/** Where the focus goes when what had it is no longer drawn: to a post, quietly. */

export const cardId = (postId: string) => `post-${postId}`

/** Once the list is drawn anew; nobody is taken away from where they went meanwhile. */
function whenDrawn(find: () => HTMLElement | null): void {
  window.requestAnimationFrame(() =>
    window.requestAnimationFrame(() => {
      if (document.activeElement === document.body) find()?.focus({ preventScroll: true })
    }),
  )
}

export const focusPost = (postId: string) => whenDrawn(() => document.getElementById(cardId(postId)))
export const focusFirstPost = () => whenDrawn(() => document.querySelector<HTMLElement>('[role=listitem] article'))

/** What is to be removed is left for its neighbor. */
export function leavePost(postId: string): void {
  const row = document.getElementById(cardId(postId))?.closest('[role=listitem]')?.parentElement
  const near = row?.nextElementSibling ?? row?.previousElementSibling
  near?.querySelector<HTMLElement>('article')?.focus()
}
