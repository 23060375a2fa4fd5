/** Other articles below one: of its topic, and the newest. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { articlesQuery, useAuthors } from '../api/queries'
import { copy } from '../copy'
import { type Article, relatedTo } from '../model'
import { ArticleCard } from './article-card'
import { columns } from './article-layout'

const useList = (topic: string | null) =>
  useInfiniteQuery(articlesQuery(topic)).data?.pages.flatMap((page) => page.articles) ?? []

export function RelatedArticles({ article }: { article: Article }) {
  const all = new Map([...useList(article.category), ...useList(null)].map((other) => [other.id, other]))
  const related = relatedTo(article, [...all.values()])
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
