/** Other articles below one. */
import { useQuery } from '@tanstack/react-query'
import { relatedQuery, useAuthors } from '../api/queries'
import { copy } from '../copy'
import type { Article } from '../model'
import { ArticleCard } from './article-card'
import { columns } from './article-layout'

export function RelatedArticles({ article }: { article: Article }) {
  const { data: related = [] } = useQuery(relatedQuery(article.id))
  const authorOf = useAuthors(related)
  if (related.length === 0) return null
  return (
    <section aria-labelledby="related-title" className="border-t border-line bg-surface py-[clamp(2.5rem,5vw,4.5rem)]">
      <div className="page">
        <h2 id="related-title" className="mb-8 type-h1">
          {copy.related}
        </h2>
        <div className={columns}>
          {related.map((other) => (
            <ArticleCard key={other.id} article={other} author={authorOf(other)} />
          ))}
        </div>
      </div>
    </section>
  )
}
