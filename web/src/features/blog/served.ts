/**
 * What the server wrote into the document of an article or of the list: the rows, and an article's text where it is what
 * this application would render. Who opens one by its address needs neither the database's client nor the Markdown
 * renderer then.
 */
import { type Article, type Author, type ListedRow, type PostRow, toArticle, toListed } from './model'

interface ArticleRows {
  post: PostRow
  author: Author | null
}

interface ListRows {
  /** The content is null where it is too long to come along. */
  posts: ListedRow[]
  authors: Author[]
  total: number
  topics: string[]
}

function readRows(id: string): unknown {
  if (typeof document === 'undefined') return null // the build prerenders pages without one
  const json = document.getElementById(id)?.textContent
  return json ? JSON.parse(json) : null
}

// Read when the page's script is loaded: the elements are removed once the application is shown.
const one = readRows('served-article') as ArticleRows | null
const list = readRows('served-list') as ListRows | null
const text = one && document.querySelector('.prose[data-slot="whole"]')

/** When that was, for caches. */
export const servedAt = Date.now()

export const servedArticle = (slug: string): Article | undefined =>
  one?.post.slug === slug ? toArticle(one.post) : undefined

/** The first page of the list, the newest articles of all topics. */
export const servedList = (): { articles: Article[]; total: number } | undefined =>
  list
    ? {
        articles: list.posts.map(toListed),
        total: list.total,
      }
    : undefined

export const servedTopics = (): string[] | undefined => list?.topics

/** The authors with these ids, when all of them came along. */
export function servedAuthors(ids: readonly string[]): Map<string, Author> | undefined {
  const known = list?.authors ?? (one?.author ? [one.author] : [])
  const asked = known.filter((author) => ids.includes(author.id))
  return asked.length > 0 && asked.length === ids.length
    ? new Map(asked.map((author) => [author.id, author]))
    : undefined
}

/** A copy of the text of an article. */
export const servedText = (content: string): Node[] | undefined =>
  text && one.post.content === content ? [...text.cloneNode(true).childNodes] : undefined
