/** Title and descriptive tags of the current page. */
import { useEffect } from 'react'

export interface Head {
  title: string
  description?: string
  type?: 'website' | 'article'
  image?: string | undefined
}

const product = 'Muster'

function setMeta(attribute: 'name' | 'property', key: string, content: string | undefined): void {
  const selector = `meta[${attribute}="${key}"]`
  const found = document.head.querySelector<HTMLMetaElement>(selector)
  if (content === undefined) return found?.remove()
  const tag = found ?? document.head.appendChild(document.createElement('meta'))
  tag.setAttribute(attribute, key)
  tag.content = content
}

/** An article's document comes with more about it, marked with its page: none of that is true of another one. */
function dropServed(): void {
  for (const tag of document.head.querySelectorAll<HTMLElement>('[data-served]')) {
    if (tag.dataset.served !== window.location.pathname) tag.remove()
  }
}

export function usePageHead({ title, description, type = 'website', image }: Head): void {
  useEffect(() => {
    dropServed()
    document.title = title === product ? product : `${title} | ${product}`
    setMeta('name', 'description', description)
    setMeta('property', 'og:title', title)
    setMeta('property', 'og:description', description)
    setMeta('property', 'og:type', type)
    setMeta('property', 'og:url', window.location.href.split(/[?#]/)[0])
    setMeta('property', 'og:image', image)
  }, [title, description, type, image])
}
