/** Two articles to read, on the way out of another page. Nothing while they load, or when there are none. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { paths } from '@/config/paths'
import { featuredQuery } from '../api/queries'
import { copy } from '../copy'
import { ArticlePicture } from './article-card'

const count = 2

export default function ReadingSuggestions() {
  const { data: articles = [] } = useQuery(featuredQuery(count))
  if (articles.length === 0) return null
  return (
    <section aria-labelledby="reading-title" className="mt-6 border-t border-line pt-5">
      <h2 id="reading-title" className="mb-3 text-small font-semibold">
        {copy.whileYouWait}
      </h2>
      <ul className="grid gap-3 md:grid-cols-2">
        {articles.map((article) => (
          <li
            key={article.id}
            className="group relative flex min-w-0 overflow-hidden rounded-card border border-line bg-surface [overflow-wrap:anywhere]"
          >
            <ArticlePicture article={article} sizes="5.5rem" className="w-22 shrink-0 self-stretch" />
            <div className="grid min-w-0 content-center gap-0.5 px-4 py-3">
              <Link
                to={paths.blogPost(article.slug)}
                className="line-clamp-3 font-[640] underline-offset-[0.2em] group-hover:underline after:absolute after:inset-0"
              >
                {article.title}
              </Link>
              <p className="text-small text-muted">{copy.readingTime(article.readingMinutes)}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
