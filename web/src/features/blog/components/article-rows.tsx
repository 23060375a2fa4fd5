/** The blog's list: the newest article in a card of its own, the others as rows in two columns. */
import { Link } from 'react-router-dom'
import { Skeleton } from '@/components/ui/skeleton'
import { limits } from '@/config/limits'
import { paths } from '@/config/paths'
import { formatDate } from '@/lib/format/dates'
import { copy } from '../copy'
import type { Article, Author } from '../model'
import { ArticlePicture, type Signature } from './article-card'

const titleLink = 'underline-offset-[0.2em] group-hover:underline after:absolute after:inset-0'
const nameOf = (author: Author | undefined) => author?.full_name?.trim() || copy.anonymous

interface Props {
  article: Article
  author: Signature
}

// A dot between two facts; the one that a line would begin with lies beyond the clipped edge.
const fact = "before:inline-block before:w-4 before:text-center before:content-['·'/'']"

function Byline({ article, author }: Props) {
  return (
    <div className="overflow-clip text-small text-muted">
      <p className="-ml-4 flex min-w-0 flex-wrap items-center">
        <span className={`flex max-w-full min-w-0 ${fact}`}>
          {author === 'loading' ? (
            <Skeleton className="h-4 w-28" />
          ) : (
            // §9.26
            <b
              className="truncate font-[560] text-ink"
              style={{ maxWidth: limits.authorNameWidthPx }}
              title={nameOf(author)}
            >
              {nameOf(author)}
            </b>
          )}
        </span>
        <time className={fact} dateTime={article.createdAt}>
          {formatDate(article.createdAt)}
        </time>
        <span className={fact}>{copy.readingTime(article.readingMinutes)}</span>
      </p>
    </div>
  )
}

export function LeadArticle({ article, author }: Props) {
  return (
    <article className="group relative grid min-w-0 grid-cols-[minmax(0,1fr)] overflow-hidden rounded-dialog border border-line bg-surface [overflow-wrap:anywhere] lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
      <ArticlePicture article={article} className="aspect-[21/9] w-full lg:aspect-video" />
      <div className="grid min-w-0 content-center gap-2.5 p-5 lg:p-9">
        <p className="truncate type-mark text-muted">{article.category}</p>
        <h2 className="line-clamp-5 text-[clamp(1.375rem,1rem+1.3vw,2rem)] leading-[1.1] font-[720] tracking-[-0.015em] text-balance font-stretch-expanded">
          <Link to={paths.blogPost(article.slug)} className={titleLink}>
            {article.title}
          </Link>
        </h2>
        <p className="line-clamp-4 lg:text-lead">{article.summary}</p>
        <Byline article={article} author={author} />
      </div>
    </article>
  )
}

export function ArticleRow({ article, author }: Props) {
  return (
    <article className="group relative flex min-w-0 gap-4 border-b border-line py-5 [overflow-wrap:anywhere]">
      <div className="grid min-w-0 grow content-start gap-1.5">
        <p className="truncate type-mark text-muted">{article.category}</p>
        <h2 className="line-clamp-4 type-h3 text-balance">
          <Link to={paths.blogPost(article.slug)} className={titleLink}>
            {article.title}
          </Link>
        </h2>
        <p className="line-clamp-2 text-ui">{article.summary}</p>
        <Byline article={article} author={author} />
      </div>
      <ArticlePicture
        article={article}
        sizes="8rem"
        className="aspect-video w-[clamp(5.5rem,24%,8rem)] shrink-0 self-start rounded-control"
      />
    </article>
  )
}
