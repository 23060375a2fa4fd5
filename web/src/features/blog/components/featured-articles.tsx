/** Up to 3 articles on the landing page, with the way to all of them (§2.1, §9.22). */
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router-dom'
import { DataProvider } from '@/api/data-provider'
import { limits } from '@/config/limits'
import { paths } from '@/config/paths'
import { copy } from '../copy'
import { ArticleGrid } from './article-grid'

export default function FeaturedArticles() {
  return (
    <section aria-labelledby="blog-title" className="border-y border-line bg-surface py-[clamp(3rem,6vw,5.5rem)]">
      <div className="page">
        <header className="mb-8 flex items-end justify-between gap-4">
          <h2 id="blog-title" className="type-h1">
            {copy.featured}
          </h2>
          <Link to={paths.blog} className="inline-flex shrink-0 items-center gap-1.5 py-1 link">
            {copy.viewAll} <ArrowRight aria-hidden className="size-4" />
          </Link>
        </header>
        <DataProvider>
          <ArticleGrid limit={limits.featuredPosts} heading="h3" />
        </DataProvider>
      </div>
    </section>
  )
}
