/**
 * What the server wrote of an article into its document: the rows, and the text where it is what this application would
 * render. An article opened by its address needs neither the database's client nor the Markdown renderer then.
 */
import { type Article, type Author, type PostRow, toArticle } from './model'

interface Rows {
  post: PostRow
  author: Author | null
}

function readRows(): Rows | null {
  if (typeof document === 'undefined') return null // the build prerenders pages without one
  const json = document.getElementById('served-article')?.textContent
  return json ? (JSON.parse(json) as Rows) : null
}

// Read when the page's script is loaded: the elements are removed once the application is shown.
const rows = readRows()
const text = rows && document.querySelector('.prose[data-slot="whole"]')

export const servedArticle = (slug: string): Article | undefined =>
  rows?.post.slug === slug ? toArticle(rows.post) : undefined

export const servedAuthors = (ids: readonly string[]): Map<string, Author> | undefined =>
  rows?.author && ids.length === 1 && ids[0] === rows.author.id ? new Map([[rows.author.id, rows.author]]) : undefined

/** A copy of the text of an article. */
export const servedText = (content: string): Node[] | undefined =>
  text && rows.post.content === content ? [...text.cloneNode(true).childNodes] : undefined
