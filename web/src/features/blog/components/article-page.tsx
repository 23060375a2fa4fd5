/** One article: its head, its text, its author, related articles. */
import { Share } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { WhenNear } from '@/components/when-near'
import { paths } from '@/config/paths'
import { DocumentHead } from '@/components/document-head'
import { formatDate } from '@/lib/format/dates'
import { useAuthors } from '../api/queries'
import { copy } from '../copy'
import type { Article, Author } from '../model'
import { shareArticle } from '../share'
import { ArticlePicture, type Signature } from './article-card'
import { ArticleContents } from './article-contents'
import { ArticleText } from './article-text'
import { RelatedArticles } from './related-articles'

const nameOf = (author: Author | undefined) => author?.full_name?.trim() || copy.anonymous

function Breadcrumb({ category }: { category: string }) {
  return (
    <nav aria-label={copy.breadcrumb} className="mb-2">
      <ol className="flex flex-wrap items-center gap-x-2 text-small font-semibold text-muted">
        <li className="flex items-center gap-x-2 after:content-['/']">
          <Link to={paths.blog} className="py-1 text-ember-text hover:underline">
            {copy.blog}
          </Link>
        </li>
        <li className="min-w-0">
          <Link to={paths.blogTopic(category)} className="block truncate py-1 text-ember-text hover:underline">
            {category}
          </Link>
        </li>
      </ol>
    </nav>
  )
}

/** Author, date and reading time in one line, with Share at its end. */
function Byline({ article, author }: { article: Article; author: Signature }) {
  return (
    <div className="mt-3 flex min-h-11 items-center gap-3">
      {author === 'loading' ? (
        <Skeleton className="h-9 w-48" />
      ) : (
        <>
          <Avatar memberId={article.authorId ?? ''} name={nameOf(author)} url={author?.avatar_url} size="sm" />
          <p className="min-w-0 text-small text-muted">
            <b className="type-name text-ink">{nameOf(author)}</b>
            {author?.position && <span className="max-sm:hidden">, {author.position}</span>}
            <span className="block sm:inline sm:before:content-['_·_']">
              <time dateTime={article.createdAt}>{formatDate(article.createdAt)}</time>
              <span aria-hidden> · </span>
              {copy.readingTime(article.readingMinutes)}
            </span>
          </p>
        </>
      )}
      <Button className="ml-auto shrink-0" onClick={() => void shareArticle(article)}>
        <Share aria-hidden />
        {copy.share}
      </Button>
    </div>
  )
}

function AboutAuthor({ article, author }: { article: Article; author: Author }) {
  const name = nameOf(author)
  return (
    <aside aria-label={copy.aboutAuthor} className="sticky top-24 text-small">
      <Avatar memberId={article.authorId ?? ''} name={name} url={author.avatar_url} size="lg" />
      <p className="mt-3 text-ui type-name">{name}</p>
      <p className="text-muted">{[author.position, author.department].filter(Boolean).join(', ')}</p>
      <Link to={paths.blogSearch(`"${name}"`)} className="mt-2 inline-block py-1 link">
        {copy.moreBy(name.split(/\s+/)[0] ?? name)}
      </Link>
    </aside>
  )
}

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul aria-label={copy.tags} className="mt-8 flex flex-wrap gap-x-4 gap-y-1 text-small">
      {tags.map((tag) => (
        <li key={tag} className="max-w-full">
          <Link
            to={paths.blogSearch(tag)}
            className="block truncate py-1 text-muted before:content-['#'] hover:text-ink hover:underline"
          >
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}

export function ArticlePage({ article, invite }: { article: Article; invite?: ReactNode }) {
  const author = useAuthors([article])(article)
  const body = useRef<HTMLDivElement>(null)
  return (
    <>
      <DocumentHead title={article.title} description={article.summary} type="article" />
      <article className="pb-[clamp(3rem,6vw,5rem)] [overflow-wrap:anywhere]">
        <div className="page article-columns">
          <div className="article-column">
            <Breadcrumb category={article.category} />
            <h1 className="type-h1 text-[clamp(1.75rem,1.3rem+1.6vw,2.5rem)] leading-[1.08]">{article.title}</h1>
            <Byline article={article} author={author} />
            {article.summary && <p className="mt-3 text-lead">{article.summary}</p>}
            <ArticlePicture article={article} sizes="40rem" className="mt-5 aspect-[21/9] w-full rounded-card" />
            <div ref={body} className="mt-7">
              <ArticleText content={article.content} />
            </div>
            <Tags tags={article.tags} />
          </div>
          <div className="row-start-1 article-side">
            <ArticleContents key={article.id} body={body} />
          </div>
          {typeof author === 'object' && (
            <div className="article-side">
              <AboutAuthor article={article} author={author} />
            </div>
          )}
        </div>
      </article>
      {invite}
      <WhenNear key={article.id} placeholder={null}>
        <RelatedArticles article={article} />
      </WhenNear>
    </>
  )
}
