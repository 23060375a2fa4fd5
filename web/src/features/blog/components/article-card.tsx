/** One article in a list: picture, category, date, reading time, title, summary, author. */
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

interface PictureProps {
  article: Article
  className?: string
  sizes?: string
}

export function ArticlePicture({ article, className, sizes = '(min-width: 64rem) 48rem, 100vw' }: PictureProps) {
  return article.featuredImage ? (
    <img
      src={publicPicture(article.featuredImage, 640)}
      srcSet={publicPictures(article.featuredImage)}
      sizes={sizes}
      alt=""
      loading="lazy"
      decoding="async"
      className={`${className} object-cover`}
    />
  ) : (
    <Cover slug={article.slug} category={article.category} className={className} />
  )
}

function ArticleMeta({ article }: { article: Article }) {
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
}

export function ArticleCard({ article, author }: Props) {
  return (
    <article className="group relative grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2 [overflow-wrap:anywhere]">
      <ArticlePicture
        article={article}
        className="mb-2 aspect-video w-full rounded-card border border-line transition-[filter] group-hover:brightness-110"
      />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2">
        <ArticleMeta article={article} />
        <h3 className="line-clamp-5 text-[1.1875rem] leading-tight font-[650] text-balance font-stretch-[118%]">
          <Link
            to={paths.blogPost(article.slug)}
            className="underline-offset-[0.2em] group-hover:underline after:absolute after:inset-0"
          >
            {article.title}
          </Link>
        </h3>
        <p className="line-clamp-3 text-ui text-muted">{article.summary}</p>
        <div className="mt-1">
          <Byline author={author} authorId={article.authorId} />
        </div>
      </div>
    </article>
  )
}
