/** /blog/{slug} : one article, or the not-found message (§2.8, §2.53). */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useParams } from 'react-router-dom'
import { importHandled } from '@/lib/browser/handled-import'
import { WaitlistBand } from '@/app/layouts/waitlist-band'
import { Button, LinkButton } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { paths } from '@/config/paths'
import { articleQuery, listedArticle } from '@/features/blog/api/queries'
import { ArticlePage } from '@/features/blog/components/article-page'
import { ArticleSkeleton } from '@/features/blog/components/article-skeleton'
import { copy } from '@/features/blog/copy'

/** Not loaded with every article. */
const NotFound = lazy(() =>
  importHandled(() => import('./not-found')).then(({ Component }) => ({ default: Component })),
)

export function Component() {
  const { slug = '' } = useParams()
  const client = useQueryClient()
  const article = useQuery({ ...articleQuery(slug), placeholderData: () => listedArticle(client, slug) })
  if (article.isPending) return <ArticleSkeleton />
  if (article.isError) {
    return (
      <div role="alert" className="page py-16">
        <EmptyState
          glyph={<TriangleAlert />}
          title={copy.loadError.title}
          heading="h1"
          action={
            <span className="flex flex-wrap justify-center gap-3">
              <Button onClick={() => void article.refetch()}>{copy.retry}</Button>
              <LinkButton to={paths.blog} variant="quiet">
                {copy.everything}
              </LinkButton>
            </span>
          }
        >
          {copy.loadError.description}
        </EmptyState>
      </div>
    )
  }
  return article.data ? (
    <ArticlePage article={article.data} invite={<WaitlistBand name="article" />} />
  ) : (
    <Suspense fallback={<ArticleSkeleton />}>
      <NotFound />
    </Suspense>
  )
}
