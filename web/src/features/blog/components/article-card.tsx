/** One article in a list: picture, category, date, reading time, title, summary, author. */
import clsx from 'clsx'
import { Link } from 'react-router-dom'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Cover } from '@/components/art/cover'
import { Skeleton } from '@/components/ui/skeleton'
import { limits } from '@/config/limits'
import { paths } from '@/config/paths'
import { publicPicture, publicPictures } from '@/lib/files/model'
import { formatDate } from '@/lib/format/dates'
import { copy } from '../copy'
import type { Article, Author } from '../model'

export function ArticlePicture({ article, className }: { article: Article; className?: string }) {
  return article.featuredImage ? (
    <img
      src={publicPicture(article.featuredImage, 640)}
      srcSet={publicPictures(article.featuredImage)}
      sizes="(min-width: 64rem) 48rem, 100vw"
      alt=""
      loading="lazy"
      decoding="async"
      className={`${className} object-cover`}
    />
  ) : (
    <Cover slug={article.slug} category={article.category} className={className} />
  )
}

export function ArticleMeta({ article }: { article: Article }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-muted">
      <Badge className="max-w-full">
        <span className="truncate">{article.category}</span>
      </Badge>
      <time dateTime={article.createdAt}>{formatDate(article.createdAt)}</time>
      <span aria-hidden>/</span>
      <span>{copy.readingTime(article.readingMinutes)}</span>
    </p>
  )
}

/** The author, once loaded. */
export type Signature = Author | 'loading' | undefined

/** §9.26: cut at 120 px; 'Anonymous' without a name. */
function Byline({ author, authorId }: { author: Signature; authorId: string | null }) {
  if (author === 'loading') return <Skeleton className="h-6 w-32" />
  const name = author?.full_name?.trim() || copy.anonymous
  return (
    <p className="flex items-center gap-2 text-small font-[560]">
      <Avatar memberId={authorId ?? ''} name={name} url={author?.avatar_url} size="xs" />
      <span className="truncate" style={{ maxWidth: limits.authorNameWidthPx }} title={name}>
        {name}
      </span>
    </p>
  )
}

interface Props {
  article: Article
  author: Signature
  heading?: 'h2' | 'h3'
  /** The first of a page: full width, picture and text side by side. */
  lead?: boolean
}

/** The full-width layout of a card, shared with its skeleton. */
export const leadBox = 'sm:col-span-full lg:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] lg:items-center lg:gap-x-10'

export function ArticleCard({ article, author, heading: Heading = 'h3', lead = false }: Props) {
  return (
    <article
      className={clsx(
        'group relative grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2 [overflow-wrap:anywhere]',
        lead && leadBox,
      )}
    >
      <ArticlePicture
        article={article}
        className={clsx(
          'mb-2 aspect-video w-full border border-line transition-[filter] group-hover:brightness-110',
          lead ? 'rounded-dialog lg:mb-0' : 'rounded-card',
        )}
      />
      <div className={clsx('grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2', lead && 'lg:gap-4')}>
        <ArticleMeta article={article} />
        <Heading
          className={clsx(
            'line-clamp-5 leading-tight text-balance',
            lead
              ? 'text-[clamp(1.375rem,1rem+1.6vw,2.25rem)] leading-[1.1] font-[720] tracking-[-0.015em] font-stretch-expanded'
              : 'text-[1.1875rem] font-[650] font-stretch-[118%]',
          )}
        >
          <Link
            to={paths.blogPost(article.slug)}
            className="underline-offset-[0.2em] group-hover:underline after:absolute after:inset-0"
          >
            {article.title}
          </Link>
        </Heading>
        <p className={clsx('line-clamp-3 text-muted', lead ? 'lg:text-lead' : 'text-ui')}>{article.summary}</p>
        <div className="mt-1">
          <Byline author={author} authorId={article.authorId} />
        </div>
      </div>
    </article>
  )
}
