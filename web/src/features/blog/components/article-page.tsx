/** One article: its header, its text, its author, related articles. */
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Share } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { DocumentHead } from '@/components/document-head'
import { articlesQuery, useAuthors } from '../api/queries'
import { copy } from '../copy'
import { type Article, relatedTo } from '../model'
import { shareArticle } from '../share'
import { ArticleBody } from './article-body'
import { ArticleCard, ArticleMeta, ArticlePicture, type Signature } from './article-card'
import { bodyGrid, columns, headGrid } from './article-layout'

function AuthorCard({ author, authorId }: { author: Signature; authorId: string | null }) {
  if (author === 'loading') return <Skeleton className="h-10 w-48" />
  const name = author?.full_name?.trim() || copy.anonymous
  const unit = [author?.position, author?.department].filter(Boolean).join(', ')
  return (
    <div className="flex items-center gap-3">
      <Avatar memberId={authorId ?? ''} name={name} url={author?.avatar_url} />
      <p className="min-w-0 text-small text-muted">
        <b className="block truncate text-body type-name text-ink">{name}</b>
        {unit}
      </p>
    </div>
  )
}

function Related({ article }: { article: Article }) {
  const related = relatedTo(article, useQuery(articlesQuery()).data ?? [])
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

export function ArticlePage({ article, invite }: { article: Article; invite?: ReactNode }) {
  const author = useAuthors([article])(article)
  return (
    <>
      <DocumentHead title={article.title} description={article.summary} type="article" />
      <article className="pb-[clamp(3rem,6vw,5rem)] [overflow-wrap:anywhere]">
        <header className="on-bar">
          <div className={headGrid}>
            <div>
              <Link
                to={paths.blog}
                className="mb-6 inline-flex items-center gap-1.5 py-1 text-small font-semibold text-bar-muted hover:text-bar-text"
              >
                <ArrowLeft aria-hidden className="size-4" />
                {copy.back}
              </Link>
              <h1 className="type-h1 text-[clamp(1.75rem,1.3rem+2vw,2.75rem)] leading-[1.08]">{article.title}</h1>
              {article.summary && <p className="mt-4 max-w-[52ch] text-lead text-bar-muted">{article.summary}</p>}
            </div>
            <ArticlePicture
              article={article}
              className="aspect-video w-full rounded-dialog border border-bar-line max-lg:aspect-[21/9]"
            />
          </div>
        </header>
        <div className={bodyGrid}>
          <aside
            aria-label="About this article"
            className="grid grid-cols-[minmax(0,1fr)_auto] content-start items-center gap-x-4 gap-y-3 lg:sticky lg:top-24 lg:grid-cols-[minmax(0,1fr)] lg:gap-4 lg:self-start [&>:nth-child(2)]:max-lg:col-span-full [&>:nth-child(2)]:max-lg:row-start-2"
          >
            <AuthorCard author={author} authorId={article.authorId} />
            <ArticleMeta article={article} />
            {article.tags.length > 0 && (
              <ul aria-label="Tags" className="flex flex-wrap gap-1.5 max-lg:hidden">
                {article.tags.map((tag) => (
                  <li key={tag} className="max-w-full">
                    <Badge className="max-w-full">
                      <span className="truncate">{tag}</span>
                    </Badge>
                  </li>
                ))}
              </ul>
            )}
            <Button className="justify-self-start" onClick={() => void shareArticle(article)}>
              <Share aria-hidden />
              {copy.share}
            </Button>
          </aside>
          <ArticleBody content={article.content} />
        </div>
      </article>
      {invite}
      <Related article={article} />
    </>
  )
}
