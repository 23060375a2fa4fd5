/** A grid of articles in its four states (§4.37). */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Newspaper, TriangleAlert } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Loading } from '@/components/ui/skeleton'
import { limits } from '@/config/limits'
import { useIsMobile } from '@/lib/browser/media'
import { articlesQuery, useAuthors } from '../api/queries'
import { copy } from '../copy'
import { ArticleCard, leadBox } from './article-card'
import { columns } from './article-layout'
import { CardSkeleton } from './card-skeletons'

function Skeletons({ lead }: { lead: boolean }) {
  const isMobile = useIsMobile()
  return (
    <Loading label={copy.loading} className={columns}>
      {Array.from({ length: isMobile ? limits.featuredSkeletonsMobile : limits.featuredPosts }, (_, i) => (
        <CardSkeleton
          key={i}
          className={clsx(lead && i === 0 && leadBox)}
          title={lead && i === 0 ? 'h-8 lg:h-20' : undefined}
        />
      ))}
    </Loading>
  )
}

interface Props {
  limit?: number | null
  heading: 'h2' | 'h3'
  /** Whether the newest spans the full width. */
  lead?: boolean
}

export function ArticleGrid({ limit = null, heading, lead = false }: Props) {
  const articles = useQuery(articlesQuery(limit))
  const authorOf = useAuthors(articles.data ?? [])
  if (articles.isPending) return <Skeletons lead={lead} />
  if (articles.isError) {
    return (
      <div role="alert">
        <EmptyState
          glyph={<TriangleAlert />}
          title={copy.loadError.title}
          heading={heading}
          action={<Button onClick={() => void articles.refetch()}>{copy.retry}</Button>}
        >
          {copy.loadError.description}
        </EmptyState>
      </div>
    )
  }
  if (articles.data.length === 0) {
    return (
      <EmptyState glyph={<Newspaper />} title={copy.empty.title} heading={heading}>
        {copy.empty.text}
      </EmptyState>
    )
  }
  return (
    <div className={columns}>
      {articles.data.map((article, i) => (
        <ArticleCard
          key={article.id}
          article={article}
          author={authorOf(article)}
          heading={heading}
          lead={lead && i === 0}
        />
      ))}
    </div>
  )
}
