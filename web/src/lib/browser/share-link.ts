/** Shares a link: with the device's share sheet if available, otherwise by the clipboard (§7.55, §8.34, §8.46). */

export type Shared = 'shared' | 'dismissed' | 'copied' | 'failed'

const isCanceled = (cause: unknown) => cause instanceof DOMException && cause.name === 'AbortError'

/** Never throws. */
export async function shareLink(link: { title: string; text?: string; url: string }): Promise<Shared> {
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share(link)
      return 'shared'
    } catch (cause) {
      if (isCanceled(cause)) return 'dismissed'
    }
  }
  return (await copyText(link.url)) ? 'copied' : 'failed'
}

/** Returns whether the text was copied. Over plain HTTP there is no navigator.clipboard: a selection is copied instead. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true // keeps mobile keyboards closed
  field.className = 'sr-only'
  document.body.append(field)
  field.focus({ preventScroll: true })
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
}
