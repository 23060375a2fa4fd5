/** The articles section of the landing page: title and link at once, the articles when scrolled near. */
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { Glyph } from '@/components/art/glyph'
import { WhenNear } from '@/components/when-near'
import { paths } from '@/config/paths'
import { featuredCopy } from '../featured-copy'
import { columns } from './article-layout'
import { CardSkeleton } from './card-skeletons'

const FeaturedArticles = lazy(() => import('./featured-articles'))

const room = (
  <div aria-hidden data-slot="later" className={`${columns} max-md:[&>:last-child]:hidden`}>
    <CardSkeleton />
    <CardSkeleton />
    <CardSkeleton />
  </div>
)

export function FeaturedSection() {
  return (
    <section aria-labelledby="blog-title" className="border-y border-line bg-surface py-[clamp(3rem,6vw,5.5rem)]">
      <div className="page">
        <div className="mb-8 flex items-end justify-between gap-4">
          <h2 id="blog-title" className="type-h1">
            {featuredCopy.title}
          </h2>
          <Link to={paths.blog} className="inline-flex shrink-0 items-center gap-1.5 py-1 link">
            {featuredCopy.viewAll} <Glyph of="arrow" className="size-4" />
          </Link>
        </div>
        <WhenNear placeholder={room}>
          <Suspense fallback={room}>
            <FeaturedArticles />
          </Suspense>
        </WhenNear>
      </div>
    </section>
  )
}
