/** The landing page's articles in their four states (§4.37). */
import { useQuery } from '@tanstack/react-query'
import { Newspaper, TriangleAlert } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Loading } from '@/components/ui/skeleton'
import { limits } from '@/config/limits'
import { useIsMobile } from '@/lib/browser/media'
import { featuredQuery, useAuthors } from '../api/queries'
import { copy } from '../copy'
import { ArticleCard } from './article-card'
import { columns } from './article-layout'
import { CardSkeleton } from './card-skeletons'

function Skeletons() {
  const isMobile = useIsMobile()
  return (
    <Loading label={copy.loading} className={columns}>
      {Array.from({ length: isMobile ? limits.featuredSkeletonsMobile : limits.featuredPosts }, (_, i) => (
        <CardSkeleton key={i} />
      ))}
    </Loading>
  )
}

interface ListErrorProps {
  heading: 'h2' | 'h3'
  onRetry: () => void
}

export function ListError({ heading, onRetry }: ListErrorProps) {
  return (
    <div role="alert">
      <EmptyState
        glyph={<TriangleAlert />}
        title={copy.loadError.title}
        heading={heading}
        action={<Button onClick={onRetry}>{copy.retry}</Button>}
      >
        {copy.loadError.description}
      </EmptyState>
    </div>
  )
}

export function NoArticles({ heading }: { heading: 'h2' | 'h3' }) {
  return (
    <EmptyState glyph={<Newspaper />} title={copy.empty.title} heading={heading}>
      {copy.empty.text}
    </EmptyState>
  )
}

export function ArticleGrid() {
  const articles = useQuery(featuredQuery(limits.featuredPosts))
  const authorOf = useAuthors(articles.data ?? [])
  if (articles.isPending) return <Skeletons />
  if (articles.isError) return <ListError heading="h3" onRetry={() => void articles.refetch()} />
  if (articles.data.length === 0) return <NoArticles heading="h3" />
  return (
    <div className={columns}>
      {articles.data.map((article) => (
        <ArticleCard key={article.id} article={article} author={authorOf(article)} />
      ))}
    </div>
  )
}
