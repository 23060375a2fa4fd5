/** /blog/{slug} : one article, or the not-found message (§2.8, §2.53). */
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useParams } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { Button, LinkButton } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { paths } from '@/config/paths'
import { articleQuery } from '@/features/blog/api/queries'
import { ArticlePage } from '@/features/blog/components/article-page'
import { ArticleSkeleton } from '@/features/blog/components/article-skeleton'
import { copy } from '@/features/blog/copy'
import { NotFound } from '@/features/not-found/components/not-found'
import { WaitlistButton } from '@/features/waitlist/components/waitlist-button'
import { copy as waitlistCopy } from '@/features/waitlist/copy'

/** Invites visitors who read to the end to join. */
function Invite() {
  const { status } = useAuth()
  if (status !== 'signed-out') return null
  const { title, text } = copy.notSignedIn
  return (
    <section aria-labelledby="invite-title" className="page pb-[clamp(3rem,6vw,5rem)]">
      <div className="grid gap-6 rounded-dialog p-[clamp(1.5rem,4vw,3rem)] on-bar md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
        <div>
          <h2 id="invite-title" className="type-h1">
            {title}
          </h2>
          <p className="mt-2 max-w-[46ch] text-bar-muted">{text}</p>
        </div>
        <WaitlistButton name="article" variant="bar-primary" size="lg">
          {waitlistCopy.title}
        </WaitlistButton>
      </div>
    </section>
  )
}

export function Component() {
  const { slug = '' } = useParams()
  const article = useQuery(articleQuery(slug))
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
                {copy.back}
              </LinkButton>
            </span>
          }
        >
          {copy.loadError.description}
        </EmptyState>
      </div>
    )
  }
  return article.data ? <ArticlePage article={article.data} invite={<Invite />} /> : <NotFound />
}
