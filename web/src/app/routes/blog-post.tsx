/** /blog/{slug} : one article, or the word that there is none (§2.8, §2.53). */
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useParams } from 'react-router-dom'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { articleQuery } from '@/features/blog/api/queries'
import { ArticlePage } from '@/features/blog/components/article-page'
import { ArticleSkeleton } from '@/features/blog/components/article-skeleton'
import { copy } from '@/features/blog/copy'
import { NotFound } from '@/features/not-found/components/not-found'

export function Component() {
  const { slug = '' } = useParams()
  const article = useQuery(articleQuery(slug))
  if (article.isPending) return <ArticleSkeleton />
  if (article.isError) {
    return (
      <div role="alert" className="page py-16">
        <EmptyState
          glyph={<TriangleAlert />}
          title={copy.loadError.title}
          action={<Button onClick={() => void article.refetch()}>{copy.retry}</Button>}
        >
          {copy.loadError.description}
        </EmptyState>
      </div>
    )
  }
  return article.data ? <ArticlePage article={article.data} /> : <NotFound />
}
