/** The title and meta tags of a page: React moves them into <head>, and removes them with the page. */
import { useLayoutEffect } from 'react'
import { dropServedHead } from '@/lib/browser/served-head'
import { useTitleCount } from '@/lib/browser/title-count'

const product = 'Muster'

interface Props {
  title: string
  description?: string
  type?: 'website' | 'article'
}

/** Every page renders one, in each of its states. Pictures of shared links are in the served document alone. */
export function DocumentHead({ title, description, type = 'website' }: Props) {
  useLayoutEffect(dropServedHead)
  const waiting = useTitleCount()
  const count = waiting > 0 ? `(${waiting}) ` : ''
  // The build prerenders the landing page without a window; its address is added in the browser.
  const url = typeof window === 'undefined' ? undefined : window.location.href.split(/[?#]/)[0]
  return (
    <>
      <title>{count + (title === product ? product : `${title} | ${product}`)}</title>
      {description && <meta name="description" content={description} />}
      <meta property="og:site_name" content={product} />
      <meta property="og:title" content={title} />
      {description && <meta property="og:description" content={description} />}
      <meta property="og:type" content={type} />
      {url && <meta property="og:url" content={url} />}
    </>
  )
}
