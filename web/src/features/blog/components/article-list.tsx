/** All articles, those of a topic, or those with some words, in the four states of each (§2.7, §4.37). */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { BusyButton, LinkButton } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Loading } from '@/components/ui/skeleton'
import { limits } from '@/config/limits'
import { paths } from '@/config/paths'
import { useIsMobile } from '@/lib/browser/media'
import { articlesQuery, foundQuery, useAuthors } from '../api/queries'
import { copy } from '../copy'
import type { Article } from '../model'
import { ListError, NoArticles } from './article-grid'
import { ArticleRow, LeadArticle } from './article-rows'
import { CardSkeleton, RowSkeleton } from './card-skeletons'

const rows = 'grid grid-cols-[minmax(0,1fr)] gap-x-8 lg:grid-cols-2'

function Skeletons() {
  const isMobile = useIsMobile()
  return (
    <Loading label={copy.loading} className={rows}>
      <CardSkeleton className="col-span-full mb-3 lg:grid-cols-2" title="h-8" />
      {Array.from({ length: (isMobile ? limits.featuredSkeletonsMobile : limits.featuredPosts) - 1 }, (_, i) => (
        <RowSkeleton key={i} />
      ))}
    </Loading>
  )
}

function Rows({ articles, lead }: { articles: readonly Article[]; lead: boolean }) {
  const authorOf = useAuthors(articles)
  const [first, ...others] = articles
  if (!first) return null
  return (
    <>
      {lead && <LeadArticle article={first} author={authorOf(first)} />}
      <div className={lead ? `mt-4 ${rows}` : rows}>
        {(lead ? others : articles).map((article) => (
          <ArticleRow key={article.id} article={article} author={authorOf(article)} />
        ))}
      </div>
    </>
  )
}

function Nothing({ children }: { children: ReactNode }) {
  return (
    <EmptyState
      glyph={<SearchX />}
      title={copy.nothing.title}
      heading="h2"
      action={<LinkButton to={paths.blog}>{copy.nothing.all}</LinkButton>}
    >
      {children}
    </EmptyState>
  )
}

export function Newest({ topic }: { topic: string | null }) {
  const list = useInfiniteQuery(articlesQuery(topic))
  if (list.isPending) return <Skeletons />
  if (list.isError) return <ListError heading="h2" onRetry={() => void list.refetch()} />
  const articles = list.data.pages.flatMap((page) => page.articles)
  const total = list.data.pages[0]?.total ?? 0
  if (articles.length === 0)
    return topic === null ? <NoArticles heading="h2" /> : <Nothing>{copy.nothing.topic}</Nothing>
  return (
    <>
      <Rows articles={articles} lead />
      {(list.hasNextPage || list.data.pages.length > 1) && (
        <div className="mt-5 flex flex-wrap items-center justify-between gap-4">
          <p role="status" className="text-small text-muted tabular-nums">
            {copy.shownOf(articles.length, total)}
          </p>
          {list.hasNextPage && (
            <BusyButton
              busy={list.isFetchingNextPage}
              busyLabel={copy.loadingOlder}
              onClick={() => void list.fetchNextPage()}
            >
              {copy.older}
            </BusyButton>
          )}
        </div>
      )}
    </>
  )
}

export function Found({ term }: { term: string }) {
  const found = useQuery(foundQuery(term))
  if (found.isPending) return <Skeletons />
  if (found.isError) return <ListError heading="h2" onRetry={() => void found.refetch()} />
  return (
    <>
      <p role="status" className={found.data.length > 0 ? 'mb-2 text-small text-muted' : 'sr-only'}>
        {found.data.length > 0 ? copy.found(found.data.length) : copy.nothing.title}
      </p>
      {found.data.length > 0 ? <Rows articles={found.data} lead={false} /> : <Nothing>{copy.nothing.text}</Nothing>}
    </>
  )
}
