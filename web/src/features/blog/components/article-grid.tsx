/** A grid of articles in its four states (§4.37). */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Newspaper, TriangleAlert } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Bone, Loading } from '@/components/ui/skeleton'
import { limits } from '@/config/limits'
import { useIsMobile } from '@/lib/media'
import { articlesQuery, useAuthors } from '../api/queries'
import { copy } from '../copy'
import { ArticleCard, leadBox } from './article-card'

const columns = 'grid gap-x-6 gap-y-10 sm:grid-cols-2 lg:grid-cols-3'

function Skeletons({ lead }: { lead: boolean }) {
  const isMobile = useIsMobile()
  return (
    <Loading label={copy.loading} className={columns}>
      {Array.from({ length: isMobile ? limits.featuredSkeletonsMobile : limits.featuredPosts }, (_, i) => (
        <div
          key={i}
          data-slot="article-skeleton"
          className={clsx('grid content-start gap-3', lead && i === 0 && leadBox)}
        >
          <Bone className="aspect-video w-full rounded-card" />
          <div className="grid gap-3">
            <Bone className="mt-1 h-5 w-3/5" />
            <Bone className="h-6 w-11/12" />
            <Bone className="h-4 w-full" />
            <Bone className="h-4 w-4/5" />
            <Bone className="mt-1 h-6 w-2/5" />
          </div>
        </div>
      ))}
    </Loading>
  )
}

interface Props {
  limit?: number | null
  heading: 'h2' | 'h3'
  /** Whether the newest takes the whole width. */
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
